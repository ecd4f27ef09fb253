x <- test_collection("trec-dl-2019/runs.tsv", systems = "trec-dl-2019/teams.tsv", k = 10, scale = 0:3)

rank_systems(x)

judging_plan(x, goal_mean(0.95), hourly = 25, seed = 1)

s <- judging_session(x, goal = goal_mean(0.95), seed = 1)

run_session(s, "trec-dl-2019/judgments.tsv")

s

report(s, "trec-dl-2019.html")

y <- test_collection("trec-dl-2020/runs.tsv", systems = "trec-dl-2020/teams.tsv", k = 10, scale = 0:3)

rank_systems(y, past = s)

ranking_accuracy(rank_systems(s), "trec-dl-2019/judgments.tsv")

c(with_past = ranking_confidence(rank_systems(y, past = s)), without = ranking_confidence(rank_systems(y)))
