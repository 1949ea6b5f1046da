#include "woodpecker_by_hand.h"

#include "woodpecker_by_hand_step.h"

void woodpecker_by_hand_run_by_cases(woodpecker_by_hand *toy, long steps) {
  for (long k = 0; k < steps; k++) step(toy, true);
}
