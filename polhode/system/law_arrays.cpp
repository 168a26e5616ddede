// The arrays of coordinates, and of laws in one coordinate; those of other laws are compiled with the forces that use them.
#include <polhode/system/kernels.hpp>

namespace polhode {

template std::unique_ptr<CoordinateArray<AngleCoordinate>> make_array();
template std::unique_ptr<CoordinateArray<TravelCoordinate>> make_array();
template std::unique_ptr<CoordinateArray<LengthCoordinate>> make_array();
template std::unique_ptr<ElasticArray<ScalarMeasure<AngleCoordinate>>> make_array();
template std::unique_ptr<ElasticArray<ScalarMeasure<TravelCoordinate>>> make_array();
template std::unique_ptr<ElasticArray<ScalarMeasure<LengthCoordinate>>> make_array();

}  // namespace polhode
