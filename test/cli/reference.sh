#!/usr/bin/env bash
# picus reference, picus compare, and picus run --against.
. "$(dirname "$0")/../support/check.sh"

check "a reference of the slope" "$PICUS" reference slope --accuracy 1e-9 --sample 0.1 --out ref.h5
expect_match stdout '^slope: reference to t = 3.2768 s, scheme rattle, requested accuracy 1e-09$'
expect_match stdout '^attempt +dt_min +dt_max +tolerance +order +base steps +seconds +switchings +difference$'
expect_match stdout '^ +2 .*(x|y|ux|uy|switching times)$'
expect_match stdout '^attempt [0-9]+: estimated error [0-9.]*e-1[0-9] of the range of each column'
expect_match stdout '^attempt [0-9]+ is stored in ref.h5$'
check "its keys" "$PICUS" info ref.h5
expect_match stdout '^reference.accuracy +[0-9.]*e-1[0-9]$'
expect_match stdout '^reference.asked +1e-09$'
expect_match stdout '^reference.reached +1$'
check "no other file is left" sh -c 'ls *.part'
expect_status 2

check "a run against it" "$PICUS" run slope --dt 1e-3 --sample 0.1 --out run.h5 --against ref.h5 --quiet
expect_match stdout '^run.h5 compared with ref.h5$'
expect_match stdout '^  33 of 33 rows are at times of the reference$'
expect_match stdout '^  estimated error of the reference: '
expect_match stdout '^x +m +[0-9.e-]+ +[0-9.e-]+ +[0-9.e-]+ +[0-9.e-]+ '
expect_match stdout '^slope +1 +0 +0 +0 +[0-9.e-]+ +2.0973522'
check "the same again" "$PICUS" compare run.h5 ref.h5 --columns x,uy
expect_lines stdout 10
expect_match stdout '^uy '
check "with itself" "$PICUS" compare ref.h5 ref.h5 --columns x
expect_match stdout '^x +m +0 +0 +0 +0 +0$'
check "rows at other times" sh -c "'$PICUS' run slope --dt 1e-3 --sample 0.15 --out other.h5 --quiet && '$PICUS' compare other.h5 ref.h5"
expect_match stdout '^  11 of 22 rows are at times of the reference.*, [0-9]+ are not compared$'

check "another model" sh -c "'$PICUS' run falling-mass --sample 0.1 --out f.h5 --quiet && '$PICUS' compare f.h5 ref.h5"
expect_status 2
expect_match stderr "^picus: the result belongs to the model 'falling-mass', the reference to 'slope'; compare results of the same model$"
check "another parameter" "$PICUS" run slope --set mu=0.2 --dt 1e-2 --sample 0.1 --out mu.h5 --against ref.h5 --quiet
expect_status 2
expect_match stderr "^picus: the parameter 'mu' is 0.2 in the result and 0.3 in the reference; compare results with the same parameters$"
check "an unknown column" "$PICUS" compare run.h5 ref.h5 --columns x,w
expect_status 2
expect_match stderr "^picus: the result has no column 'w'$"
check "one file only" "$PICUS" compare run.h5
expect_status 2
check "--against without --out" "$PICUS" run slope --against ref.h5
expect_status 2
expect_match stderr '^picus: --against needs --out FILE.h5, the file to compare$'

check "what cannot be reached is said, and the best is kept" "$PICUS" reference sliding-mass --accuracy 1e-17 --out best.h5
expect_status 1
expect_match stderr '^picus: the accuracy 1e-17 was not reached: the best runs differ by [0-9.]*e-1[0-9], their estimated error is [0-9.]*e-1[0-9]; '
expect_match stdout '^attempt [0-9]+ is stored in best.h5$'
check "the file says so" "$PICUS" info best.h5
expect_match stdout '^reference.reached +0$'
check "too much work" "$PICUS" reference woodpecker --t-end 0.1 --work 1000 --quiet
expect_status 1
expect_match stderr 'the work limit is reached$'
expect_empty stdout
check "an accuracy that is none" "$PICUS" reference slope --accuracy 0
expect_status 2
expect_match stderr '^picus: the accuracy of a reference must be a positive number$'
check "a scheme that cannot be extrapolated" "$PICUS" reference bouncing-ball --scheme schatzman-paoli
expect_status 2
check "a file that cannot be made" "$PICUS" reference slope --out no/such/folder.h5
expect_status 2
expect_match stderr "^picus: cannot create 'no/such/folder.h5"
