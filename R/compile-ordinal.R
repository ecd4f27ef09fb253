# The functions that are not compiled at installation; compile-features.R has the reason.
not_compiled <- setdiff(ls(), before_ordinal)
