// Text files: blocks of lines, fields, tables. Needs neither Eigen nor Boost.Math.
#include "../core/text/blocks.cpp"
#include "../core/text/files.cpp"
#include "../core/text/gzip.cpp"
#include "../core/text/lines.cpp"
#include "../core/text/table.cpp"
