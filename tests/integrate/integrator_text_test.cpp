// An integrator as a line of text, there and back.
#include <polhode/integrate/integrator_text.hpp>

#include <gtest/gtest.h>

#include <polhode/model/error.hpp>

namespace polhode::integrator_text_test {
namespace {

TEST(IntegratorText, ReadsNumbersAndWords) {
  const IntegratorChoice choice = parse_integrator("  generalized-alpha  rho_inf=0.6 update=exp2\tindex=2 ");
  EXPECT_EQ(choice.name, "generalized-alpha");
  EXPECT_EQ(choice.options,
            (std::map<std::string, OptionValue>{{"rho_inf", 0.6}, {"update", std::string("exp2")}, {"index", 2.0}}));
  EXPECT_EQ(parse_integrator("rattlie"), (IntegratorChoice{"rattlie", {}}));
  EXPECT_EQ(parse_integrator("a x=+1e-3").options.at("x"), OptionValue(1e-3));
  EXPECT_EQ(parse_integrator("a x=1e").options.at("x"), OptionValue(std::string("1e")));
}

TEST(IntegratorText, IsReadBackExactly) {
  for (const double number : {0.1, 1.0 / 3, 1e-300, -2.0, 1e22}) {
    const IntegratorChoice choice{"method", {{"x", number}, {"word", std::string("some-word")}}};
    EXPECT_EQ(parse_integrator(to_text(choice)), choice) << to_text(choice);
  }
  EXPECT_EQ(to_text(parse_integrator("generalized-alpha rho_inf=0.6 index=2")),
            "generalized-alpha index=2 rho_inf=0.6");
}

TEST(IntegratorText, SaysWhatIsWrong) {
  for (const char* text :
       {"", "  ", "rho_inf=0.6", "generalized-alpha rho_inf", "generalized-alpha rho_inf=", "generalized-alpha =0.6",
        "generalized-alpha rho_inf = 0.6", "generalized-alpha rho_inf=0.6 rho_inf=0.7"}) {
    try {
      parse_integrator(text);
      ADD_FAILURE() << text;
    } catch (const ModelError& e) {
      EXPECT_NE(std::string(e.what()).find("NAME option=value"), std::string::npos) << e.what();
    }
  }
}

}  // namespace
}  // namespace polhode::integrator_text_test
