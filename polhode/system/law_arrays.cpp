// The arrays of the library's coordinates and laws.
#include <polhode/system/kernels.hpp>

namespace polhode {

template std::unique_ptr<CoordinateArray<AngleCoordinate>> make_array();
template std::unique_ptr<CoordinateArray<TravelCoordinate>> make_array();
template std::unique_ptr<CoordinateArray<LengthCoordinate>> make_array();
template std::unique_ptr<ElasticArray<ScalarMeasure<AngleCoordinate>>> make_array();
template std::unique_ptr<ElasticArray<ScalarMeasure<TravelCoordinate>>> make_array();
template std::unique_ptr<ElasticArray<ScalarMeasure<LengthCoordinate>>> make_array();
template std::unique_ptr<ElasticArray<PointMeasure>> make_array();
template std::unique_ptr<ElasticArray<BushingMeasure>> make_array();

}  // namespace polhode
