// Separation of ordinal responses, and the preference model that uses their optimiser.
#include "../core/ordinal/separation.cpp"
#include "../core/preference/davidson.cpp"
