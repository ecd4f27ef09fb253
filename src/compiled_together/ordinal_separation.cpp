// Separation of ordinal responses.
#include "../core/ordinal/separation.cpp"
