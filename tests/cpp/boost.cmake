# Boost's headers: the system's, or those of R's package BH.
if(NOT BOOST_INCLUDE)
  execute_process(COMMAND Rscript -e "cat(system.file('include', package = 'BH'))" OUTPUT_VARIABLE bh ERROR_QUIET)
  find_path(BOOST_INCLUDE boost/math/special_functions/erf.hpp HINTS ${bh} DOC "Folder that holds boost/")
endif()
if(NOT BOOST_INCLUDE)
  message(FATAL_ERROR "Boost was not found: install libboost-dev or R's package BH, or set BOOST_INCLUDE.")
endif()
