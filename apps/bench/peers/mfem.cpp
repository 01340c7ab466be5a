// Advection as in MFEM's example 9, with what is fastest there on one core: M^-1 K once as a matrix by rows without its
// zeros, of which the nodes of Gauss and Lobatto leave most, so that a stage is one product.

#include <memory>
#include <mfem.hpp>

#include "flow.h"

namespace {

constexpr double end_time = 1.0;

double exact(const mfem::Vector& at, double t) { return std::sin(pi * (at[0] - t)) * std::sin(pi * (at[1] - 0.5 * t)); }

mfem::Mesh periodic_squares(int cells) {
  mfem::Mesh mesh = mfem::Mesh::MakeCartesian2D(cells, cells, mfem::Element::QUADRILATERAL, false, 2.0, 2.0);
  for (int vertex = 0; vertex < mesh.GetNV(); ++vertex)
    for (int axis = 0; axis < 2; ++axis) mesh.GetVertex(vertex)[axis] -= 1.0;
  return mfem::Mesh::MakePeriodic(
      mesh, mesh.CreatePeriodicVertexMapping({mfem::Vector({2.0, 0.0}), mfem::Vector({0.0, 2.0})}));
}

/// M^-1 K.
mfem::SparseMatrix rate_of_change(mfem::FiniteElementSpace& space, const mfem::SparseMatrix& inverse_mass) {
  mfem::VectorConstantCoefficient velocity(mfem::Vector({1.0, 0.5}));
  mfem::BilinearForm convection(&space);
  convection.AddDomainIntegrator(new mfem::ConvectionIntegrator(velocity, -1.0));
  convection.AddInteriorFaceIntegrator(new mfem::NonconservativeDGTraceIntegrator(velocity, -1.0));
  convection.Assemble();
  convection.Finalize();
  const std::unique_ptr<mfem::SparseMatrix> product(mfem::Mult(inverse_mass, convection.SpMat()));
  product->Threshold(1e-10 * product->MaxNorm());
  return *product;
}

std::unique_ptr<mfem::ODESolver> method_of(int stages) {
  if (stages == 2) return std::make_unique<mfem::RK2Solver>();
  if (stages == 3) return std::make_unique<mfem::RK3SSPSolver>();
  return std::make_unique<mfem::RK4Solver>();
}

class Advection : public mfem::TimeDependentOperator {
 public:
  explicit Advection(const mfem::SparseMatrix& matrix) : TimeDependentOperator(matrix.Height()), matrix_(matrix) {}
  void Mult(const mfem::Vector& u, mfem::Vector& rate) const override { matrix_.Mult(u, rate); }

 private:
  const mfem::SparseMatrix& matrix_;
};

}  // namespace

int main(int argc, char** argv) {
  const Flow flow = flow_of(argc, argv, 1.0 + 0.5, end_time);
  mfem::Mesh mesh = periodic_squares(flow.cells);
  const mfem::DG_FECollection elements(flow.order, 2, mfem::BasisType::GaussLobatto);
  mfem::FiniteElementSpace space(&mesh, &elements);
  mfem::BilinearForm inverse_mass(&space);
  inverse_mass.AddDomainIntegrator(new mfem::InverseIntegrator(new mfem::MassIntegrator));
  inverse_mass.Assemble();
  inverse_mass.Finalize();
  const mfem::SparseMatrix matrix = rate_of_change(space, inverse_mass.SpMat());
  Advection advection(matrix);
  const std::unique_ptr<mfem::ODESolver> solver = method_of(flow.stages);
  solver->Init(advection);
  mfem::FunctionCoefficient wave(exact);
  const mfem::IntegrationRule& points = mfem::IntRules.Get(mfem::Geometry::SQUARE, 2 * flow.order + 5);
  mfem::LinearForm moments(&space);
  moments.AddDomainIntegrator(new mfem::DomainLFIntegrator(wave, &points));
  wave.SetTime(0.0);
  moments.Assemble();
  mfem::GridFunction u(&space);
  double time = 0.0;
  double dt = flow.dt;
  const double seconds = seconds_of(
      flow,
      [&] {
        time = 0.0;
        inverse_mass.SpMat().Mult(moments, u);  // the values at the nodes, which the example takes, have a larger error
      },
      [&] { solver->Step(u, time, dt); });
  wave.SetTime(end_time);
  const mfem::IntegrationRule* rules[mfem::Geometry::NumGeom] = {};
  rules[mfem::Geometry::SQUARE] = &points;
  report(flow, mfem::GetVersionStr(), seconds, u.ComputeL2Error(wave, rules));
  return 0;
}
