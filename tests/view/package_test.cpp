// The data of the page: thinned out without lying, laid out as the page expects them.
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <polhode/io/model_reader.hpp>
#include <polhode/io/model_writer.hpp>
#include <polhode/io/result_file.hpp>
#include <polhode/simulate/simulation.hpp>
#include <polhode/view/base64.hpp>
#include <polhode/view/decimate.hpp>
#include <polhode/view/package.hpp>

namespace polhode::view::package_test {
namespace {

using nlohmann::json;

/// A short run of a model of the tree, in a file that goes with this.
class RunFile {
 public:
  RunFile(const std::string& model_name, double end_time, double step) {
    Model model = read_model(std::filesystem::path(POLHODE_SOURCE_DIR "/models") / (model_name + ".json"));
    model.simulation.end_time = end_time;
    model.simulation.step = step;
    Simulation simulation(model);
    ResultLayout layout = simulation.layout("test");
    layout.model_json = write_model(model);
    layout.options_json = "{}";
    path_ = (std::filesystem::temp_directory_path() /
             fmt::format("polhode-package-{}-{}.h5", static_cast<const void*>(this), model_name))
                .string();
    ResultFile file = ResultFile::create(path_, layout);
    const Certificate certificate = simulation.run([&](const Sample& sample) { file.append(sample); });
    file.finish(true, "complete", to_json(certificate));
  }
  ~RunFile() { std::filesystem::remove(path_); }
  RunFile(const RunFile&) = delete;
  RunFile& operator=(const RunFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// A package taken apart.
struct Opened {
  json header;
  std::string data;

  explicit Opened(const std::string& package) {
    std::uint32_t words[3];
    EXPECT_EQ(package.substr(0, 4), "PLHV");
    std::memcpy(words, package.data() + 4, 12);
    EXPECT_EQ(words[0], 1u);
    header = json::parse(package.substr(16, words[1]));
    data = package.substr((16 + words[1] + 7) / 8 * 8);
  }

  template <class T>
  std::vector<T> numbers(const json& place) const {
    EXPECT_EQ(place["type"], sizeof(T) == 4 ? "f32" : "f64");
    EXPECT_EQ(place["offset"].get<std::size_t>() % 8, 0u);
    std::vector<T> out(place["count"].get<std::size_t>());
    EXPECT_LE(place["offset"].get<std::size_t>() + out.size() * sizeof(T), data.size());
    std::memcpy(out.data(), data.data() + place["offset"].get<std::size_t>(), out.size() * sizeof(T));
    return out;
  }
};

TEST(Decimate, EveryNthKeepsBothEnds) {
  for (const std::size_t count : {1, 2, 3, 10, 99, 100, 101, 1000, 12345}) {
    for (const std::size_t most : {2, 3, 10, 100}) {
      const Samples samples = every_nth(count, most);
      EXPECT_LE(samples.size(), std::max<std::size_t>(most, 2));
      EXPECT_EQ(samples.front(), 0u);
      EXPECT_EQ(samples.back(), count - 1);
      EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end()));
      if (count <= most) {
        EXPECT_EQ(samples.size(), count);
      }
    }
  }
  EXPECT_TRUE(every_nth(0, 10).empty());
}

TEST(Decimate, KeepsTheExtremesOfEveryChannel) {
  const std::size_t count = 100000;
  std::vector<double> numbers(2 * count);
  for (std::size_t k = 0; k < count; ++k) {
    numbers[2 * k] = std::sin(0.001 * static_cast<double>(k)) + (k == 77777 ? 5 : 0);  // a peak of one sample
    numbers[2 * k + 1] = std::cos(0.37 * static_cast<double>(k)) - (k == 12321 ? 9 : 0);
  }
  const std::vector<Channel> channels{{numbers, 2, 0}, {numbers, 2, 1}};
  const Samples samples = keep_extremes(channels, count, 2000);
  EXPECT_LE(samples.size(), 2002u);
  EXPECT_TRUE(std::binary_search(samples.begin(), samples.end(), 77777u));
  EXPECT_TRUE(std::binary_search(samples.begin(), samples.end(), 12321u));
  EXPECT_EQ(samples.front(), 0u);
  EXPECT_EQ(samples.back(), count - 1);
}

TEST(Base64, EncodesTheVectorsOfTheStandard) {  // RFC 4648, section 10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\xfe\0", 3)), "//4A");
}

TEST(Package, HoldsWhatWasRecorded) {
  const RunFile run("heavy_top", 0.2, 1e-3);
  const Result result = read_result(run.path());
  const Opened opened(make_package({run.path()}));
  const json& head = opened.header["runs"][0];
  EXPECT_EQ(opened.header["title"], "heavy top");
  EXPECT_EQ(head["samples"], result.samples);
  EXPECT_EQ(head["bodies"][0]["name"], "top");
  EXPECT_EQ(opened.numbers<double>(head["frames"]["time"]).size(), result.samples);
  const auto position = opened.numbers<float>(head["frames"]["position"]);
  for (std::size_t k = 0; k < result.samples; ++k)
    for (int i = 0; i < 3; ++i) EXPECT_EQ(position[3 * k + i], static_cast<float>(result.position(k, 0)[i]));
  for (const json& group : head["groups"])
    for (const json& channel : group["channels"])
      EXPECT_EQ(opened.numbers<float>(channel["values"]).size(), opened.numbers<double>(group["time"]).size());
}

TEST(Package, OfFewFramesStillHasTheExtremesOfBodiesAndJoints) {
  const RunFile run("heavy_top", 0.2, 1e-3);
  const Result result = read_result(run.path());
  const Opened opened(make_package({run.path()}, {10}));
  const json& head = opened.header["runs"][0];
  EXPECT_LE(head["frames"]["count"].get<int>(), 10);
  int found = 0;
  for (const json& group : head["groups"]) {
    if (group["id"] != "velocity") continue;
    ++found;
    for (int i = 0; i < 3; ++i) {
      double least = 1e300, largest = -1e300;
      const auto numbers = result["bodies/velocity"];
      for (std::size_t k = 0; k < result.samples; ++k) {
        least = std::min(least, numbers[3 * k + i]);
        largest = std::max(largest, numbers[3 * k + i]);
      }
      EXPECT_EQ(group["channels"][i]["min"].get<double>(), least);
      EXPECT_EQ(group["channels"][i]["max"].get<double>(), largest);
    }
  }
  EXPECT_EQ(found, 1);
}

TEST(Package, ComparesRunsAtTheTimesThatBothHave) {
  const RunFile coarse("heavy_top", 0.1, 2e-3), fine("heavy_top", 0.1, 1e-3);
  const ResultReader a(coarse.path()), b(fine.path());
  const Difference d = difference(a, b), none = difference(a, a);
  EXPECT_EQ(d.time.size(), 51u);
  const Result ra = read_result(coarse.path()), rb = read_result(fine.path());
  EXPECT_NEAR(d.position.back(), (ra.position(50, 0) - rb.position(100, 0)).norm(), 1e-15);
  EXPECT_GT(d.position.back(), 1e-8);
  EXPECT_EQ(*std::max_element(none.position.begin(), none.position.end()), 0);
  EXPECT_LT(*std::max_element(none.angle.begin(), none.angle.end()), 1e-15);
}

TEST(Package, RefusesWhatIsNoResult) {
  EXPECT_THROW(make_package({"/no/such/file.h5"}), ResultError);
  EXPECT_THROW(package_status({POLHODE_SOURCE_DIR "/LICENSE"}), ResultError);
}

}  // namespace
}  // namespace polhode::view::package_test
