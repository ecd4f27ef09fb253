// The variance components of the joint model, in one table for the prior, the objective and the bindings.
#pragma once
#include <array>

#include "execution/index.hpp"

namespace judicious {

enum JointTerm : Index {
  term_residual,
  term_query,
  term_query_popularity,
  term_query_genre,
  term_query_artist,
  term_query_system,
  term_query_team,
  term_system,
  term_team,
  term_system_popularity,
  term_team_popularity,
  n_joint_terms
};

// The units that have random effects: each pair, all pairs together, or the pairs with the same label.
enum class EffectUnit { pair, all, genre, artist, system, team };

struct JointTermShape {
  const char* name;
  EffectUnit unit;
  bool within_query;  // whether effects of different queries are independent
  bool slope;         // whether the effect is multiplied by the pair's popularity
};

// The table, in the order of JointTerm.
constexpr std::array<JointTermShape, n_joint_terms> joint_term_shapes{{
    {"residual", EffectUnit::pair, true, false},
    {"query", EffectUnit::all, true, false},
    {"query:popularity", EffectUnit::all, true, true},
    {"query:genre", EffectUnit::genre, true, false},
    {"query:artist", EffectUnit::artist, true, false},
    {"query:system", EffectUnit::system, true, false},
    {"query:team", EffectUnit::team, true, false},
    {"system", EffectUnit::system, false, false},
    {"team", EffectUnit::team, false, false},
    {"system:popularity", EffectUnit::system, false, true},
    {"team:popularity", EffectUnit::team, false, true},
}};

// One number per term.
using TermValues = std::array<double, n_joint_terms>;

}  // namespace judicious
