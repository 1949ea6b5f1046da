/* Reads all numbers of a CSV file as one does it by hand: line by line, with strtod. Prints how many there are. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

int main(int count, char **argument) {
  FILE *file = count == 2 ? fopen(argument[1], "r") : NULL;
  char *line = NULL;
  size_t capacity = 0;
  long numbers = 0;
  double sum = 0;
  if (!file) return 2;
  while (getline(&line, &capacity, file) > 0)
    for (char *at = line, *end = NULL;; at = end + 1) {
      const double value = strtod(at, &end);
      if (end == at) break;
      numbers++;
      sum += value;
      if (*end != ',') break;
    }
  free(line);
  (void)fclose(file);
  printf("%ld numbers, their sum is %g\n", numbers, sum);
  return 0;
}
