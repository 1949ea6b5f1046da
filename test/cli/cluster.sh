#!/usr/bin/env bash
# picus sweep by the ranks of an MPI job and by jobs of Slurm: the same files as by one process, nothing lost by kills.
. "$(dirname "$0")/../support/check.sh"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_base_warn_component_unused=0
long=(sweep woodpecker --set mu=0.1:0.5:60 --t-end 0.3 --dt 2e-5 --collect 'y impacts max(beak.gap)')
slow=("${long[@]}" --vary dt=1e-6)
chain=(sweep bouncing-ball --set e=0.5:0.7:3 --start q=0.5:2:4 --continue forth --t-end 1 --dt 1e-3)
section=(sweep woodpecker --set mu=0.25:0.35:6 --t-end 1 --dt 1e-4 --section beak:impact --last 3)
"$PICUS" "${long[@]}" --out whole.h5 --threads 1 --quiet
"$PICUS" "${slow[@]}" --out slow.h5 --quiet
"$PICUS" "${chain[@]}" --csv chain.csv --threads 1 --quiet
"$PICUS" "${section[@]}" --section-csv section.csv --threads 1 --quiet

# --- a queue of one process, and a time limit ----------------------------------------------------------------------
check "--nice-exit-after" "$PICUS" "${long[@]}" --vary dt=2e-7 --out late.h5 --nice-exit-after 0.3 --threads 1
expect_status 75
expect_match stderr "^picus: [0-9]+ of 60 runs are in 'late.h5.journal'; the same command continues with the others$"
check "a time that is none" "$PICUS" "${long[@]}" --out late.h5 --nice-exit-after soon
expect_status 2
expect_match stderr "^picus: --nice-exit-after is a time such as"
check "processes without MPI" env OMPI_COMM_WORLD_SIZE=2 sh -c "cp '$PICUS' alone && ./alone sweep bouncing-ball --set e=0:1:3 --csv a.csv"
expect_status 1
expect_match stderr '^picus: 2 processes were started for one study, but this Picus was built without MPI'
check "a part is a job of its own" env OMPI_COMM_WORLD_SIZE=2 ./alone sweep bouncing-ball --set e=0:1:3 --csv a.csv --part 1/2 --quiet

# --- ranks of MPI -------------------------------------------------------------------------------------------------
ranks() { timeout 120 mpirun -n "$@"; }
if [ ! -x "$PICUS_BUILD/picus-mpi" ] || ! command -v mpirun >/dev/null; then
  skip "ranks of MPI" "Open MPI is not installed (scripts/install-deps cluster)"
else
  for count in 1 2 3; do
    check "$count ranks" ranks $count "$PICUS" "${long[@]}" --out ranks.h5
    expect_match stdout '^woodpecker: 60 of 60 runs'
    expect "the file is the same" cmp whole.h5 ranks.h5
    rm -f ranks.h5
  done
  expect_equal "$(find . -name '*.journal*' ! -name 'late*' ! -name 'a.csv*')" ""
  check "chains" ranks 2 "$PICUS" "${chain[@]}" --csv other.csv --quiet
  expect "the table is the same" cmp chain.csv other.csv
  check "sections" ranks 3 "$PICUS" "${section[@]}" --section-csv other.csv --threads 2 --quiet
  expect "the table is the same" cmp section.csv other.csv
  check "more ranks than runs" ranks 4 "$PICUS" sweep bouncing-ball --set e=0.5,3 --dt 1e-2 --csv few.csv
  expect_match stdout '^bouncing-ball: 2 of 2 runs, 1 failed: see their messages, by 4 processes$'
  check "what is wrong is said once" ranks 3 "$PICUS" sweep woodpecker --set nu=1,2 --csv a.csv
  expect_status 2
  expect_equal "$(grep -c "there is no parameter 'nu'" "$STDERR")" 1
  check "a file is needed" ranks 2 "$PICUS" sweep bouncing-ball --set e=0:1:3 --csv -
  expect_match stderr '^picus: several processes need the name of a file for the results$'
  expect_status 2

  # The whole job is killed, or one rank, which ends the job after two seconds. Another number of ranks continues.
  records() { # complete ones, in all journals
    stat -c %s killed.h5.journal* 2>/dev/null | awk '{ sum += int(($1 - 40) / 56) } END { print sum + 0 }'
  }
  kills=3 lost=0
  for ((k = 0; k < kills; k++)); do
    before=$(records)
    ranks $((2 + k % 2)) "$PICUS" "${slow[@]}" --out killed.h5 --quiet >/dev/null 2>&1 &
    for ((wait = 0; wait < 300; wait++)); do
      [ "$(records)" -lt $((before + 6)) ] || break
      sleep 0.02
    done
    victims=(-f)
    [ $((k % 2)) -eq 0 ] || victims=(-n -f)
    pkill -9 "${victims[@]}" "^picus.*--out killed.h5 --quiet" || true
    wait $! 2>/dev/null
    [ "$(records)" -ge "$before" ] || lost=1
  done
  made=$(records)
  done=$("$PICUS" "${slow[@]}" --out killed.h5 --threads 1 | sed -nE 's/.* ([0-9]+) of them from the journal/\1/p')
  check "after kills, by one process" cmp slow.h5 killed.h5
  expect_equal "$lost, ${done:-0} runs were in the journals" "0, $made runs were in the journals"
  expect_equal "$(find . -name 'killed.h5.journal*')" ""
fi

# --- jobs of Slurm ------------------------------------------------------------------------------------------------
# A Slurm of one node on ports of its own. Its configuration cannot have paths with blanks.
slurm=$(mktemp -d /tmp/picus-slurm.XXXXXX)
start_slurm() {
  local host port=$((20000 + $$ % 20000))
  host=$(hostname -s)
  mkdir -p "$slurm/state" "$slurm/spool" "$slurm/run"
  head -c 1024 /dev/urandom >"$slurm/key"
  chmod 400 "$slurm/key"
  munged --key-file="$slurm/key" --socket="$slurm/run/munge" --pid-file="$slurm/run/munged.pid" \
    --log-file="$slurm/munged.log" --seed-file="$slurm/seed" --force >/dev/null 2>&1 || return 1
  export SLURM_CONF=$slurm/slurm.conf
  cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$slurm/run/munge
CredType=cred/munge
SlurmUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/run/slurmctld.pid
SlurmdPidFile=$slurm/run/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1
RequeueExit=75
MinJobAge=300
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
  slurmctld -f "$SLURM_CONF" && slurmd -f "$SLURM_CONF" -N "$host" || return 1
  for ((wait = 0; wait < 100; wait++)); do
    sinfo -h -o %T 2>/dev/null | grep -q idle && return 0
    sleep 0.1
  done
  return 1
}
stop_slurm() {
  local file process
  scancel --user root 2>/dev/null
  for file in slurmd slurmctld munged; do
    [ -f "$slurm/run/$file.pid" ] || continue
    process=$(cat "$slurm/run/$file.pid")
    kill "$process"
    for ((wait = 0; wait < 100; wait++)); do
      kill -0 "$process" 2>/dev/null || break
      sleep 0.05
    done
  done
}
# Waits until no job is left.
jobs_end() {
  for ((wait = 0; wait < 300; wait++)); do
    [ -n "$(squeue -h)" ] || return 0
    sleep 0.1
  done
  return 1
}

if [ "$(id -u)" != 0 ] || ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
  skip "jobs of Slurm" "needs root, and Slurm and munge (scripts/install-deps cluster)"
elif ! start_slurm; then
  check "Slurm starts" false
  complain "$(tail -n 3 "$slurm"/*.log 2>&1)"
  stop_slurm
else
  cat >array.sh <<JOB
#!/bin/sh
#SBATCH --array=1-3
#SBATCH --output=array-%a.txt
exec '$PICUS' ${long[@]@Q} --out array.h5 --part \$SLURM_ARRAY_TASK_ID/3 --threads 1
JOB
  check "an array of jobs" sbatch array.sh
  expect "the jobs end" jobs_end
  check "its parts together" "$PICUS" "${long[@]}" --out array.h5 --merge 3 --quiet
  expect "the file is the same" cmp whole.h5 array.h5
  if [ -x "$PICUS_BUILD/picus-mpi" ]; then
    check "ranks by srun" timeout 60 srun --mpi=pmix -n 2 "$PICUS" "${long[@]}" --out srun.h5
    expect_match stdout '^woodpecker: 60 of 60 runs, by 2 processes$'
    expect "the file is the same" cmp whole.h5 srun.h5
  fi
  # Exit code 75 puts the job into the queue again, until it is done; Slurm lets it wait each time.
  if [ "$(test_size 0 0 1)" = 1 ]; then
    cat >again.sh <<JOB
#!/bin/sh
#SBATCH --requeue --output=again.txt --open-mode=append
exec '$PICUS' ${slow[@]@Q} --out again.h5 --nice-exit-after 1 --threads 1
JOB
    check "a job that comes again" sbatch again.sh
    for ((wait = 0; wait < 40; wait++)); do
      job=$(squeue -h -o %i)
      [ -n "$job" ] || break
      # else it would wait two minutes; in the same second its old credential would still count as revoked
      [ "$(squeue -h -o %r)" != BeginTime ] || scontrol update JobId="$job" StartTime=now+2 2>/dev/null
      sleep 2.5
    done
    expect "the job ends" jobs_end
    expect_match again.txt "of 60 runs are in 'again.h5.journal'; the same command continues"
    expect_match again.txt '^woodpecker: 60 of 60 runs, [0-9]+ of them from the journal$'
  fi
  stop_slurm
fi
rm -rf "$slurm"
