// Text files: blocks of lines, fields, tables. Needs neither Eigen nor Boost.Math.
#include "../core/text/blocks.cpp"
#include "../core/text/gzip.cpp"
#include "../core/text/input_file.cpp"
#include "../core/text/lines.cpp"
#include "../core/text/output_file.cpp"
#include "../core/text/table.cpp"
#include "../core/text/texts.cpp"
