"""Drive the command line of judicious from Python's standard library: rank, ask, judge, rank again.

Usage: python3 rank.py RUNS JUDGMENTS, where JUDGMENTS has the gains that a person would give (query doc gain).
Judgments go in as a file, and results come out as JSON.
"""
import json
import pathlib
import subprocess
import sys
import tempfile


def judicious(*words):
    """Run a command and return its table, a list of dictionaries. A failure raises subprocess.CalledProcessError."""
    run = subprocess.run(["judicious", *words, "--format", "json", "--quiet"], check=True, capture_output=True, text=True)
    return json.loads(run.stdout)


def main(runs, answers):
    gains = {tuple(line.split()[:2]): line.split()[2] for line in pathlib.Path(answers).read_text().splitlines()}
    with tempfile.TemporaryDirectory() as folder:
        judged = pathlib.Path(folder, "judged.tsv")
        judged.touch()
        for _ in range(3):
            given = ["-j", str(judged)] if judged.stat().st_size else []
            with judged.open("a") as lines:
                for asked in judicious("next", runs, *given, "-n", "5", "--seed", "1"):
                    pair = (asked["query"], asked["doc"])
                    print(*pair, gains[pair], file=lines)
        print(json.dumps(judicious("rank", runs, "-j", str(judged))[0]))


if __name__ == "__main__":
    main(*sys.argv[1:])
