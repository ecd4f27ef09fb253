// Models with sparse designs, and separation of ordinal responses.
#include "../core/ordinal/separation.cpp"
#include "../core/ordinal/sparse_data.cpp"
