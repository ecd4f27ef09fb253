// Cumulative-link models: the links, and their likelihood.
#include "../core/ordinal/cumulative_link.cpp"
#include "../core/ordinal/link.cpp"
#include "../core/ordinal/link_flexible.cpp"
#include "../core/ordinal/link_rows.cpp"
#include "../core/ordinal/link_table.cpp"
