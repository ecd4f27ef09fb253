// Products and triangular factors of dense matrices, faster than Eigen, which is compiled for the baseline of the
// processor architecture. Here the product of two matrices is also compiled for AVX2 with FMA, and selected at run time
// (see execution/simd.hpp); all other functions are built on it by recursion. For small matrices, Eigen is used. All
// triangular matrices are lower triangular.
#pragma once
#include <Eigen/Dense>
#include <string>

namespace judicious::dense {

using Matrix = Eigen::MatrixXd;
using Target = Eigen::Ref<Eigen::MatrixXd>;
using Source = Eigen::Ref<const Eigen::MatrixXd>;

// Which of two factors is transposed.
enum class Transposed { none, left, right };

// c += factor * a * b.
void add_product(Target c, double factor, const Source& a, const Source& b, Transposed which = Transposed::none);
// Adds factor * a * a', or factor * a' * a if `which` is left, to the lower triangle of c.
void add_square(Target c, double factor, const Source& a, Transposed which = Transposed::right);

// x becomes L^-1 x, L'^-1 x, or x L'^-1.
void solve(const Source& l, Target x);
void solve_transposed(const Source& l, Target x);
void solve_right(const Source& l, Target x);

// Replaces the triangle of a symmetric matrix by its Cholesky factor. Throws std::domain_error if `a` is not positive
// definite; `what` names it in the message.
void factorise(Target a, const std::string& what);
// The log determinant of L L'.
double log_determinant(const Source& l);

// Replaces a triangle by its inverse.
void invert_triangle(Target l);
// The inverse of L L', in about half the time of solving for the identity matrix.
Matrix inverse_of(const Source& l);
// Copies the lower triangle to the upper one.
void mirror(Target a);

}  // namespace judicious::dense
