// A result file keeps what it is given, bit by bit, whatever becomes of its writer.
#include <polhode/io/result_file.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include <gtest/gtest.h>

#include <polhode/io/csv.hpp>
#include <polhode/io/result.hpp>

#include "simulate/says.hpp"

namespace polhode::result_file_test {
namespace {

namespace fs = std::filesystem;

ResultLayout layout_of(std::size_t samples, std::size_t bodies = 2, std::size_t joints = 1, std::size_t rows = 3) {
  ResultLayout layout{.model_json = R"({"name": "Körper, \"quoted\""})",
                      .options_json = "{}",
                      .version = "1.2.3",
                      .bodies = {},
                      .joints = {},
                      .rows = {},
                      .outputs = {},
                      .samples = samples};
  for (std::size_t i = 0; i < bodies; ++i) layout.bodies.push_back("body" + std::to_string(i));
  for (std::size_t i = 0; i < joints; ++i) layout.joints.push_back("joint" + std::to_string(i));
  for (std::size_t i = 0; i < rows; ++i) layout.rows.push_back("row" + std::to_string(i));
  return layout;
}

/// Sample number k: any finite doubles, denormal ones among them, drawn by their bits. Known from k alone.
class Drawn {
 public:
  Drawn(const ResultLayout& layout, std::size_t k) : random_(k) {
    sample.positions = draw(3 * layout.bodies.size()), sample.quaternions = draw(4 * layout.bodies.size());
    sample.velocities = draw(3 * layout.bodies.size()), sample.angular_velocities = draw(3 * layout.bodies.size());
    sample.reactions = draw(6 * layout.joints.size()), sample.multipliers = draw(layout.rows.size());
    const auto n = draw(15);
    sample = {.time = n[0],
              .positions = std::move(sample.positions),
              .quaternions = std::move(sample.quaternions),
              .velocities = std::move(sample.velocities),
              .angular_velocities = std::move(sample.angular_velocities),
              .accelerations = std::move(sample.accelerations),
              .angular_accelerations = std::move(sample.angular_accelerations),
              .reactions = std::move(sample.reactions),
              .multipliers = std::move(sample.multipliers),
              .outputs = std::move(sample.outputs),
              .energy = {n[1], n[2], n[3], n[4], n[5], n[6]},
              .linear_momentum = {n[7], n[8], n[9]},
              .angular_momentum = {n[10], n[11], n[12]},
              .position_residual = n[13],
              .velocity_residual = n[14],
              .newton_iterations = static_cast<int>(k % 20)};
  }
  Drawn(const Drawn&) = delete;

  Sample sample;

 private:
  std::vector<double> draw(std::size_t n) {
    std::vector<double> out(n);
    for (double& x : out) {
      do {
        x = std::bit_cast<double>(random_());
      } while (!std::isfinite(x));
    }
    return out;
  }

  std::mt19937_64 random_;
};

void append(ResultFile& file, const ResultLayout& layout, std::size_t k) { file.append(Drawn(layout, k).sample); }

/// The samples that are there are those that were given, exactly.
void expect_exact(const Result& result) {
  for (std::size_t f = 0; f < result_fields().size(); ++f) {
    std::vector<double> expected;
    for (std::size_t k = 0; k < result.samples; ++k) result_fields()[f].put(Drawn(result.layout, k).sample, expected);
    EXPECT_EQ(result.numbers[f], expected) << result_fields()[f].dataset;
  }
}

std::string refusal(const auto& act) {
  try {
    act();
  } catch (const ResultError& error) {
    return error.what();
  }
  return "";
}

class ResultFileTest : public testing::Test {
 protected:
  ResultFileTest() : folder_(fs::temp_directory_path() / ("polhode-result-" + std::to_string(::getpid()))) {
    fs::create_directory(folder_);
  }
  ~ResultFileTest() override { fs::remove_all(folder_); }
  std::string in_folder(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {})); }

  fs::path folder_;
  std::string path_ = in_folder("result.h5");
};

TEST_F(ResultFileTest, ReadingInvertsWriting) {
  const auto layout = layout_of(50);
  auto file = ResultFile::create(path_, layout);
  for (std::size_t k = 0; k < 50; ++k) append(file, layout, k);
  file.finish(true, "completed", R"({"status": "completed"})");

  const Result result = read_result(path_);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.samples, 50u);
  EXPECT_EQ(result.status, "completed");
  EXPECT_EQ(result.certificate_json, R"({"status": "completed"})");
  EXPECT_EQ(result.layout.model_json, layout.model_json);
  EXPECT_EQ(result.layout.options_json, layout.options_json);
  EXPECT_EQ(result.layout.version, layout.version);
  EXPECT_EQ(result.layout.bodies, layout.bodies);
  EXPECT_EQ(result.layout.joints, layout.joints);
  EXPECT_EQ(result.layout.rows, layout.rows);
  expect_exact(result);
  const Drawn seventh(layout, 7);
  EXPECT_EQ(result.position(7, 1), Vec3(seventh.sample.positions.data() + 3));
  EXPECT_EQ(result.orientation(7, 1).w(), seventh.sample.quaternions[4]);
  EXPECT_EQ(result.orientation(7, 1).z(), seventh.sample.quaternions[7]);
  EXPECT_EQ(files(), 1u);
}

TEST_F(ResultFileTest, ListsMayBeEmpty) {
  const auto layout = layout_of(3, 1, 0, 0);
  auto file = ResultFile::create(path_, layout);
  for (std::size_t k = 0; k < 3; ++k) append(file, layout, k);
  file.finish(true, "completed", "{}");
  const Result result = read_result(path_);
  EXPECT_TRUE(result["joints/reaction"].empty());
  EXPECT_TRUE(result.layout.rows.empty());
  expect_exact(result);
}

TEST_F(ResultFileTest, IsReadableFromTheFirstInstantAndAfterEveryFlush) {
  const auto layout = layout_of(5);
  auto file = ResultFile::create(path_, layout);
  for (std::size_t k = 0; k < 5; ++k) {
    const Result result = read_result(path_);
    EXPECT_EQ(result.samples, k);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.status, "running");
    expect_exact(result);
    append(file, layout, k);
    file.flush();
  }
}

/// A child appends, flushing now and then, and is killed at a time that nobody knows.
TEST_F(ResultFileTest, KilledAtAnyTimeLeavesGoodSamples) {
  const auto layout = layout_of(200'000);
  std::size_t most = 0;
  for (useconds_t patience : {0, 1'000, 3'000, 10'000, 30'000, 60'000}) {
    fs::remove(path_);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto file = ResultFile::create(path_, layout);
      for (std::size_t k = 0; k < layout.samples; ++k) {
        append(file, layout, k);
        if (k % 7 == 0) file.flush();
      }
      ::_exit(0);
    }
    while (!fs::exists(path_) && ::waitpid(child, nullptr, WNOHANG) == 0) ::usleep(100);
    ::usleep(patience);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);

    const Result result = read_result(path_);
    EXPECT_FALSE(result.complete);
    EXPECT_EQ(result.status, "running");
    EXPECT_EQ(result.samples == 0 ? 1 : result.samples % 7, 1u);  // flushed after samples 0, 7, 14, ...
    expect_exact(result);
    most = std::max(most, result.samples);
  }
  EXPECT_GT(most, 0u);
}

TEST_F(ResultFileTest, EveryTruncationIsRefused) {
  const auto layout = layout_of(4);
  { ResultFile::create(path_, layout); }
  std::stringstream whole;
  whole << std::ifstream(path_).rdbuf();
  const std::string bytes = whole.str();
  for (std::size_t n = 0; n < bytes.size(); n += 997) {
    std::ofstream(in_folder("part.h5")) << bytes.substr(0, n);
    EXPECT_NE(refusal([&] { read_result(in_folder("part.h5")); }), "") << n << " of " << bytes.size() << " bytes";
  }
}

TEST_F(ResultFileTest, OutOfScopeKeepsItsSamplesAndSaysSo) {
  const auto layout = layout_of(10);
  {
    auto file = ResultFile::create(path_, layout);
    for (std::size_t k = 0; k < 4; ++k) append(file, layout, k);
    ResultFile moved = std::move(file);
    append(moved, layout, 4);
  }
  const Result result = read_result(path_);
  EXPECT_EQ(result.samples, 5u);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.status, "interrupted");
  EXPECT_TRUE(says(result.certificate_json, "ended without a certificate; the samples written so far are valid"));
  expect_exact(result);
}

TEST_F(ResultFileTest, ASampleOfTheWrongSizeIsRefusedAndSpoilsNothing) {
  const auto layout = layout_of(2);
  auto file = ResultFile::create(path_, layout);
  append(file, layout, 0);
  EXPECT_THROW(append(file, layout_of(2, 2, 2), 1), std::logic_error);
  append(file, layout, 1);
  EXPECT_THROW(append(file, layout, 2), std::logic_error);  // one too many
  file.finish(true, "completed", "{}");
  expect_exact(read_result(path_));
}

TEST_F(ResultFileTest, CompleteMeansAllSamples) {
  auto file = ResultFile::create(path_, layout_of(2));
  EXPECT_THROW(file.finish(true, "completed", "{}"), std::logic_error);
}

TEST_F(ResultFileTest, ReplacesAnOlderResultAndKeepsALink) {
  { ResultFile::create(path_, layout_of(3)).finish(false, "old", "{}"); }
  fs::create_symlink(path_, in_folder("link.h5"));
  { ResultFile::create(in_folder("link.h5"), layout_of(4)).finish(false, "new", "{}"); }
  EXPECT_TRUE(fs::is_symlink(in_folder("link.h5")));
  EXPECT_EQ(read_result(path_).status, "new");
  EXPECT_EQ(files(), 2u);
}

/// With the size of files limited, the new file cannot be filled. The limit is set in a child.
TEST_F(ResultFileTest, AFailedCreationKeepsTheOldResult) {
  { ResultFile::create(path_, layout_of(3)).finish(false, "old", "{}"); }
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1 << 20, 1 << 20};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const std::string text = refusal([&] { ResultFile::create(path_, layout_of(100'000)); });
    ::_exit(text == path_ + ": takes 40.8 MB for 100000 samples, and File too large; try a larger output_step" ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read_result(path_).status, "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(ResultFileTest, SaysWhyItCannotBe) {
  const auto create = [](const std::string& path, std::size_t samples = 1) {
    return refusal([&] { ResultFile::create(path, layout_of(samples)); });
  };
  EXPECT_EQ(create(in_folder("no/result.h5")),
            in_folder("no/result.h5") + ": there is no folder " + in_folder("no") + "; make it first");
  EXPECT_EQ(create(folder_.string()), folder_.string() + ": is not a file that a result could replace");
  EXPECT_EQ(create("/dev/null"), "/dev/null: is not a file that a result could replace");
  EXPECT_NE(create(path_, std::size_t{1} << 50).find("try a larger output_step"), std::string::npos);
  EXPECT_EQ(files(), 0u);

  EXPECT_EQ(refusal([&] { read_result(path_); }), path_ + ": there is no such file");
  std::ofstream(path_) << "time,x\n0,1\n";
  EXPECT_EQ(refusal([&] { read_result(path_); }).find(path_ + ": cannot be read as HDF5"), 0u);
}

TEST_F(ResultFileTest, ALongStatusIsCutBetweenCharacters) {
  std::string status = "x";
  while (status.size() < 5000) status += "ü";  // two bytes each: an even cut would split one
  { ResultFile::create(path_, layout_of(1)).finish(false, status, "{}"); }
  EXPECT_EQ(read_result(path_).status, status.substr(0, 4095));
}

TEST_F(ResultFileTest, TheCertificateHasRoomForEveryBody) {
  ResultLayout layout = layout_of(1, 1000);
  std::string certificate = "{";
  for (const auto& name : layout.bodies) certificate += name + std::string(13 * 25 + 100, ' ');
  { ResultFile::create(path_, layout).finish(false, "ended", certificate); }
  EXPECT_EQ(read_result(path_).certificate_json, certificate);
}

// --- CSV
// ---------------------------------------------------------------------------------------------------------

Result drawn_result(const ResultLayout& layout) {
  Result result;
  result.layout = layout;
  result.samples = layout.samples;
  result.numbers.resize(result_fields().size());
  for (std::size_t k = 0; k < layout.samples; ++k)
    for (std::size_t f = 0; f < result_fields().size(); ++f)
      result_fields()[f].put(Drawn(layout, k).sample, result.numbers[f]);
  return result;
}

std::string csv(const Result& result, const std::vector<std::string>& channels) {
  std::ostringstream out;
  write_csv(out, result, channels);
  return out.str();
}

std::string header(const ResultLayout& layout, const std::vector<std::string>& channels) {
  const std::string text = csv(drawn_result(layout), channels);
  return text.substr(0, text.find('\n'));
}

TEST(Csv, AChannelIsAColumnOrTheBeginningOfSeveral) {
  const auto layout = layout_of(1);
  EXPECT_EQ(header(layout, {"body1.position"}), "time,body1.position.x,body1.position.y,body1.position.z");
  EXPECT_EQ(header(layout, {"energy.work", "body0.quaternion.w", "time"}), "time,energy.work,body0.quaternion.w");
  EXPECT_EQ(header(layout, {"joint0"}),
            "time,joint0.reaction.fx,joint0.reaction.fy,joint0.reaction.fz,"
            "joint0.reaction.tx,joint0.reaction.ty,joint0.reaction.tz");
  EXPECT_EQ(header(layout, {"multipliers"}), "time,multipliers.row0,multipliers.row1,multipliers.row2");
  EXPECT_EQ(csv_columns(layout).size(), 1u + 2 * 13 + 6 + 3 + 6 + 6 + 2 + 1);  // all fields of a sample
}

TEST(Csv, ReadingBackGivesTheSameNumbers) {
  const Result result = drawn_result(layout_of(20));
  std::istringstream text(csv(result, {}));
  std::string cell;
  std::getline(text, cell);  // the header
  std::vector<std::vector<double>> read(result.numbers.size());
  for (std::size_t k = 0; k < 20; ++k) {
    std::getline(text, cell);
    std::istringstream line(cell);
    for (std::size_t f = 0; f < read.size(); ++f)
      for (std::size_t i = 0; i < result_fields()[f].width(result.layout); ++i) {
        std::getline(line, cell, ',');
        read[f].push_back(std::strtod(cell.c_str(), nullptr));
      }
    EXPECT_FALSE(std::getline(line, cell, ','));
  }
  EXPECT_EQ(read, result.numbers);
  EXPECT_FALSE(std::getline(text, cell));
}

TEST(Csv, AnUnknownChannelIsRefusedWithTheNearest) {
  const Result result = drawn_result(layout_of(1));
  EXPECT_EQ(refusal([&] { csv(result, {"body1.positon"}); }),
            "there is no channel \"body1.positon\"; did you mean \"body1.position\"?");
  EXPECT_EQ(refusal([&] { csv(result, {"enrgy"}); }), "there is no channel \"enrgy\"; did you mean \"energy\"?");
  EXPECT_EQ(refusal([&] { result["bodies/positions"]; }),
            "a result has no \"bodies/positions\"; did you mean \"bodies/position\"?");
}

TEST(Csv, NamesWithCommasAreQuoted) {
  ResultLayout layout = layout_of(1, 1);
  layout.bodies[0] = "left, \"upper\" arm";
  EXPECT_EQ(header(layout, {"left, \"upper\" arm.velocity.x"}), "time,\"left, \"\"upper\"\" arm.velocity.x\"");
}

}  // namespace
}  // namespace polhode::result_file_test
