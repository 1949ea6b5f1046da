# Made by scripts/python-api from the public headers and python/csrc/core.pyi.in: do not change _core.pyi itself.
from collections.abc import Callable
from typing import Any, Optional, TypedDict, TypeVar, Union, overload


_M = TypeVar("_M", bound="Model")
_S = TypeVar("_S", bound="Simulation")
_R = TypeVar("_R", bound="Record")
_F = TypeVar("_F", bound="Result")
_O = TypeVar("_O", bound="Rollout")
_T = TypeVar("_T", bound="Study")
_B = TypeVar("_B", bound="Orbit")

VERSION: str
HAS_HDF5: int
row_types: dict[str, tuple[int, dict[str, tuple[str, int, int]]]]

class Owner: ...

class View:
    def __len__(self) -> int: ...

class Reader:
    def add(self, text: str, /) -> None: ...

class Model:
    def files(self) -> dict[str, bytes]: ...
    def plots(self) -> list[tuple[str, list[str]]]: ...
    def start(self) -> tuple[bytearray, bytearray]: ...
    def name(self) -> str: ...
    def description(self) -> str: ...
    def source(self) -> str: ...
    def parameter_count(self) -> int: ...
    def parameter(self, index: int, /) -> Parameter: ...
    def input_count(self) -> int: ...
    def input(self, index: int, /) -> InputDef: ...
    def coordinate_count(self) -> int: ...
    def velocity_count(self) -> int: ...
    def plot_count(self) -> int: ...
    def file_count(self) -> int: ...
    def handle_count(self) -> int: ...
    def handle(self, index: int, /) -> Handle: ...
    def framework_nodes(self, name: str, /) -> int: ...
    def structure_size(self, name: str, /) -> int: ...
    def sim_options(self) -> SimOptions: ...
    def system_native(self) -> NativeReport: ...
    def system_nq(self) -> int: ...
    def system_nu(self) -> int: ...
    def system_law_count(self) -> int: ...
    def system_row_count(self) -> int: ...
    def system_laws_appear(self) -> bool: ...
    def system_node_table_count(self) -> int: ...
    def system_law_at(self, law: int, /) -> SystemLaw: ...
    def system_q_name(self, index: int, /) -> str: ...
    def system_u_name(self, index: int, /) -> str: ...
    def system_input_count(self) -> int: ...
    def system_input_at(self, index: int, /) -> SystemInput: ...
    def system_find_input(self, name: str, /) -> int: ...
    def system_work_count(self) -> int: ...
    def system_work_name(self, index: int, /) -> str: ...
    def system_quaternion_count(self) -> int: ...
    def system_quaternion(self, index: int, /) -> int: ...
    def system_constant_parts(self) -> SystemConstants: ...

class Simulation:
    @property
    def t(self) -> float: ...
    @property
    def handle(self) -> object: ...
    def step(self, n: int = 1, dt: float = 0, /) -> None: ...
    def advance(self, t_stop: float, /) -> None: ...
    def energy(self) -> tuple[float, float]: ...
    def save(self) -> bytes: ...
    def load(self, checkpoint: bytes, changed: bool = False, /) -> None: ...
    def _run(
        self,
        t_end: float,
        record_type: Optional[type[_R]],
        columns: Optional[str] = None,
        switchings: bool = True,
        contacts: bool = False,
        nodes: bool = False,
        hdf5: Optional[str] = None,
        csv: Optional[str] = None,
        command: str = "",
        step: Optional[Callable[[Any], object]] = None,
        event: Optional[Callable[[Any, Any], object]] = None,
        progress: Optional[Callable[[float, float, int], object]] = None,
        stops: Optional[Any] = None,
    ) -> Optional[_R]: ...
    def _q(self) -> View: ...
    def _u(self) -> View: ...
    def _set_state(self, t: float, q: Any, u: Any, /) -> None: ...
    @overload
    def _push(self) -> None: ...
    @overload
    def _push(
        self,
        handle: int,
        place: tuple[float, float, float],
        target: tuple[float, float, float],
        stiffness: float,
        time: float,
        /,
    ) -> None: ...
    def _laws(self) -> bytearray: ...
    def _info(self) -> StepInfo: ...
    def _summary(self) -> Summary: ...
    def _options(self) -> SimOptions: ...
    def set_input(self, name: str, value: float, rate: float, /) -> None: ...
    def set_input_at(self, index: int, value: float, rate: float, /) -> None: ...
    def input(self, index: int, /) -> Input: ...
    def event_count(self) -> int: ...
    def event(self, index: int, /) -> EventState: ...
    def present_law(self, law: int, /) -> PresentLaw: ...
    def present_count(self) -> int: ...
    def find_laws(self, dt: float, /) -> None: ...
    def vanished_laws(self) -> VanishedLaws: ...
    def work(self, index: int, /) -> float: ...

class Record:
    def values(self, column: int, /) -> View: ...
    def switchings(self) -> View: ...
    def event_states(self) -> dict[str, Any]: ...
    def laws(self) -> dict[int, str]: ...
    def contacts(self, row: int, /) -> View: ...
    def node_tables(self) -> list[dict[str, Any]]: ...
    def nodes(self, table: int, velocities: bool, /) -> View: ...
    def row_count(self) -> int: ...
    def column_count(self) -> int: ...
    def column(self, index: int, /) -> Column: ...
    def find(self, name: str, /) -> int: ...
    def switching_count(self) -> int: ...

class Result:
    def values(self, column: int, /) -> View: ...
    def switchings(self) -> View: ...
    def event_states(self) -> dict[str, Any]: ...
    def contacts(self, row: int, /) -> bytearray: ...
    def node_tables(self) -> list[dict[str, Any]]: ...
    def nodes(self, table: int, velocities: bool, /) -> bytearray: ...
    def notes(self) -> dict[str, Union[str, float]]: ...
    def plots(self) -> list[tuple[str, list[str]]]: ...
    def page(self, name: str, /) -> str: ...
    def is_cut(self) -> bool: ...
    def column_count(self) -> int: ...
    def column(self, index: int, /) -> Column: ...
    def find(self, name: str, /) -> int: ...
    def row_count(self) -> int: ...
    def law_count(self) -> int: ...
    def law_at(self, index: int, /) -> ResultLaw: ...
    def switching_count(self) -> int: ...
    def export_switchings(self, law: int, path: str, /) -> None: ...
    def export_switch_changes(self, path: str, /) -> None: ...
    def export_event_states(self, law: int, path: str, /) -> None: ...
    def contact_rows(self) -> int: ...
    def contact_count(self, row: int, /) -> int: ...
    def body_count(self) -> int: ...
    def body(self, body: int, /) -> str: ...
    def node_table_count(self) -> int: ...
    def find_node_table(self, name: str, /) -> int: ...
    def node_table_rows(self, table: int, /) -> int: ...
    def export_nodes(self, table: int, path: str, /) -> None: ...
    def export_rows(self, path: str, /) -> None: ...
    def export_contacts(self, path: str, /) -> None: ...
    def text(self, key: str, /) -> str: ...
    def number(self, key: str, /) -> float: ...
    def plot_count(self) -> int: ...

class Rollout:
    def values(self) -> View: ...
    def ends(self) -> View: ...
    def message(self, run: int, /) -> str: ...
    def count(self) -> int: ...
    def rows(self) -> int: ...
    def column_count(self) -> int: ...
    def column(self, column: int, /) -> str: ...

class Study:
    def make_runs(
        self,
        journal: Optional[str],
        part: int,
        parts: int,
        progress: Optional[Callable[[int, int], object]],
        /,
    ) -> None: ...
    def points(self) -> View: ...
    def results(self) -> View: ...
    def section_states(self) -> bytes: ...
    def end_of(self, point: int, /) -> tuple[Optional[int], str, float]: ...
    def count(self) -> int: ...
    def axis_count(self) -> int: ...
    def axis_name(self, axis: int, /) -> str: ...
    def value_count(self) -> int: ...
    def value_name(self, value: int, /) -> str: ...
    def section_width(self) -> int: ...
    def section_column(self, column: int, /) -> str: ...
    def done(self) -> int: ...
    def missing(self) -> int: ...
    def part_of(self, point: int, part_count: int, /) -> int: ...
    def read_journal(self, path: str, /) -> None: ...
    def remove_journal(self, path: str, /) -> None: ...
    def order_at(self, point: int, value: int, /) -> StudyOrder: ...
    def check(self, path: str, /) -> None: ...
    def write_csv(self, path: str, /) -> None: ...
    def write_section_csv(self, path: str, /) -> None: ...
    def write_hdf5(self, path: str, /) -> None: ...

class Orbit:
    def state_view(self) -> View: ...
    def shift_view(self) -> View: ...
    def monodromy_view(self) -> View: ...
    def data_of(self) -> OrbitData: ...
    def section(self) -> str: ...
    def state_count(self) -> int: ...
    def multiplier_count(self) -> int: ...
    def multiplier(self, index: int, /) -> Multiplier: ...
    def point_count(self) -> int: ...
    def point_at(self, index: int, /) -> OrbitPoint: ...

def orbit(
    cls: type[_B],
    model: Model,
    options: dict[str, Any],
    section: Optional[str],
    period: float,
    skip: int,
    turns: int,
    /,
) -> _B: ...
def follow_branch(
    cls: type[_R],
    model: Model,
    options: dict[str, Any],
    section: Optional[str],
    period: float,
    period_text: Optional[str],
    skip: int,
    turns: int,
    parameter: str,
    start: float,
    stop: float,
    step: float,
    step_least: float,
    most: int,
    doublings: int,
    /,
) -> tuple[_R, list[tuple[str, str]], list[str]]: ...
def differentiate(
    cls: type[_R],
    model: Model,
    options: dict[str, Any],
    names: list[str],
    columns: Optional[str],
    hdf5: Optional[str],
    csv: Optional[str],
    /,
) -> _R: ...
def load_model(
    cls: type[_M],
    path: str,
    parameters: dict[str, float],
    text: Optional[str] = None,
    files: Optional[dict[str, bytes]] = None,
    folder: Optional[str] = None,
    handles: int = 0,
) -> _M: ...
def new_reader(name: str, folder: Optional[str] = None, /) -> Reader: ...
def model_from_functions(
    cls: type[_M],
    q: Any,
    u: Any,
    laws: list[tuple[str, int, bool, int, float, float, float]],
    functions: dict[str, Any],
    constant_mass: bool = False,
    constant_directions: bool = False,
) -> _M: ...
def new_simulation(
    cls: type[_S], model: Model, options: dict[str, Any], threads: int = 1, /
) -> _S: ...
def open_result(cls: type[_F], path: str, /) -> _F: ...
def compare_results(path: str, reference: str, /) -> dict[str, Any]: ...
def search_reference(
    model: Model,
    options: dict[str, Any],
    path: str,
    accuracy: float,
    work: float = 2e7,
) -> dict[str, Any]: ...
def rollout(
    cls: type[_O],
    model: Model,
    options: dict[str, Any],
    count: int,
    names: list[str],
    values: Any,
    q: Any,
    u: Any,
    inputs: list[str],
    intervals: int,
    forces: Any,
    columns: Optional[str],
    threads: int,
) -> _O: ...
def study(
    cls: type[_T],
    model: Model,
    options: dict[str, Any],
    names: list[str],
    kinds: Any,
    counts: Any,
    values: Any,
    ranges: Any,
    sampling: int,
    samples: int,
    seed: int,
    continuation: int,
    collect: list[str],
    section: Optional[str],
    section_period: float,
    section_last: int,
    threads: int,
    /,
) -> _T: ...
def solve_contacts(
    laws: Any,
    mu: Any,
    G: Any,
    c: Any,
    options: dict[str, Any],
    guess: Any = None,
) -> tuple[bytearray, bytearray, bytearray, SolveInfo, Residuals]: ...
def read_problem(path: str, /) -> tuple[Any, ...]: ...
def shipped_models() -> list[str]: ...
def shipped_text(name: str, /) -> Optional[str]: ...
def names(kind: str, /) -> dict[str, str]: ...
def status_name(status: int, /) -> str: ...

class Column(TypedDict):
    name: str
    unit: str
    label: str
    kind: int

class ColumnError(TypedDict):
    name: str
    unit: str
    uniform: float
    l1: float
    l2: float
    t_worst: float
    range: float
    scale: float

class EventState(TypedDict):
    name: str
    count: int
    t: float

class Handle(TypedDict):
    frame: int
    count: int
    point: list[int]

class Input(TypedDict):
    value: float
    rate: float
    t: float

class InputDef(TypedDict):
    name: str
    start: float
    rate: float
    has_rate: bool
    unit: str
    label: str

class LawMatch(TypedDict):
    law: str
    matched: int
    missing: int
    extra: int
    unresolved: int
    time_difference: float
    t_worst: float

class Multiplier(TypedDict):
    re: float
    im: float

class NativeReport(TypedDict):
    operations: int
    interpreted: int
    objects: int
    compiled: int
    note: str

class OrbitData(TypedDict):
    t: float
    period: float
    residual: float
    iterations: int
    is_stable: bool
    velocity: float
    velocity_law: int
    reserve: float
    reserve_law: int
    gap: float
    gap_law: int
    recheck: float
    recheck_agrees: bool

OrbitPoint = TypedDict("OrbitPoint", {"t": float, "change": int, "name": str, "law": int, "from": int, "to": int, "velocity": float})

class Parameter(TypedDict):
    name: str
    value: float
    default_value: float
    unit: str
    description: str

class SystemLaw(TypedDict):
    name: str
    kind: int
    has_gap: bool
    slips: int
    dim: int
    first_row: int
    mu: float
    reservoir: float
    eN: float
    eF: float
    impact: int
    rolling: float
    adhesion: float
    displaced: bool
    moves: bool
    loaded: bool
    varies: bool

class PresentLaw(TypedDict):
    law: SystemLaw
    is_fixed: bool
    source: int
    key: int

class AcceptedResidual(TypedDict):
    t: float
    relative: float
    laws: int
    name: list[str]
    of_law: list[float]

class SummarySolver(TypedDict):
    iterations: int
    iterations_max: int
    fallbacks: int
    accepted: int
    worst_accepted: AcceptedResidual
    worst_residual: float
    worst_residual_t: float

class PassageCount(TypedDict):
    count: int
    t: float
    law: int
    travel: float
    gap: float

class DepthCount(TypedDict):
    steps: int
    t: float
    law: int
    name: str
    depth: float
    explained: float

class SummaryGaps(TypedDict):
    penetration: float
    penetration_t: float
    penetration_law: int
    penetration_name: str
    constraint: float
    constraint_t: float
    constraint_law: int
    passed: PassageCount
    unexplained: DepthCount

class SummaryEnergy(TypedDict):
    start: float
    end: float
    dissipated: float
    dissipated_by_impulses: float
    spurious: float
    driven: float
    work: float

class ParadoxCount(TypedDict):
    steps: int
    t: float
    law: int
    branch: int

class SummaryImpactEnergy(TypedDict):
    gains: int
    gained: float
    gained_t: float
    limited: int

class SummaryImplicit(TypedDict):
    newton_iterations: int
    newton_iterations_max: int
    projection_iterations: int
    projection_iterations_max: int
    set_iterations: int
    set_iterations_max: int
    prox_first: int
    prox_first_max: int
    prox_second: int
    prox_second_max: int
    prox_failed: int
    worst_projection: float

class OverlapCount(TypedDict):
    steps: int
    t: float
    name: str
    depth: float

class SummaryShapes(TypedDict):
    repeated: int
    repetitions_max: int
    overlaps: OverlapCount

class SummaryAdaptive(TypedDict):
    base_steps: int
    rejected: int
    switching_points: int
    order_largest: int
    dt_least: float
    dt_largest: float
    missed: int
    rounded: int
    worst_miss: float
    worst_miss_t: float

class Summary(TypedDict):
    status: int
    steps: int
    t_start: float
    t_end: float
    seconds: float
    contact_steps: int
    shortened: int
    impacts: int
    chatter: int
    rows: int
    events_cut: int
    events_until: float
    switched: int
    switched_t: float
    solver: SummarySolver
    gaps: SummaryGaps
    energy: SummaryEnergy
    indeterminate: ParadoxCount
    inconsistent: ParadoxCount
    steep: ParadoxCount
    locked: ParadoxCount
    impact_energy: SummaryImpactEnergy
    implicit: SummaryImplicit
    shapes: SummaryShapes
    adaptive: SummaryAdaptive
    model_events: int
    stopped_by: str

class ReferenceAttempt(TypedDict):
    dt_min: float
    dt_max: float
    tolerance: float
    order_max: int
    summary: Summary
    switchings: int
    difference: float
    time_difference: float
    unlike: int
    worst: str
    accuracy: float

class Residuals(TypedDict):
    signorini: float
    cone: float
    dissipation: float
    worst_signorini: int
    worst_cone: int
    worst_dissipation: int
    de_saxce: float
    fclib: float

class ResultLaw(TypedDict):
    name: str
    kind: str
    slips: int
    source: int
    key: int

class RolloutEnd(TypedDict):
    status: int
    t: float
    steps: int
    impacts: int
    rows: int
    message: str

class SolverOptions(TypedDict):
    solver: str
    tolerance: float
    max_iterations: int
    relaxation: float
    no_fallback: bool
    facets: int
    minimum_norm: bool
    accept_residual: float
    heap_tolerance: float

class ImplicitOptions(TypedDict):
    forecast: int
    forecast_factor: float
    metric: int
    projection: int
    newton_tolerance: float
    projection_tolerance: float
    newton_max: int
    slip_direction: int
    prox_r: float
    mean_forces: bool
    newton_printed: bool
    stages: bool

class Tableau(TypedDict):
    stages: int
    order: int
    rows: list[list[float]]

class HalfExplicitOptions(TypedDict):
    predicted: bool
    closed_gap: float
    impact_substeps: int
    tableau: Tableau

class SimOptions(TypedDict):
    scheme: str
    dt: float
    t_start: float
    t_end: float
    theta: float
    solver: SolverOptions
    every: int
    sample: float
    implicit: ImplicitOptions
    half_explicit: HalfExplicitOptions
    adaptive: bool
    dt_min: float
    dt_max: float
    atol: float
    rtol: float
    order_max: int
    order: int
    substeps: int
    step_control: int
    restitution: int
    accept_inaccurate: bool
    pairs: int
    impact: int
    gap_term: bool
    sleep: bool
    start_impact: bool

class Residual(TypedDict):
    relative: float
    natural: float
    worst_law: int

class SolveInfo(TypedDict):
    status: int
    iterations: int
    fallbacks: int
    islands: int
    solver: str
    residual: Residual
    facets: int
    minimum_norm: bool
    accepted: bool

class WorstLaws(TypedDict):
    above: int
    law: list[int]
    relative: list[float]

class StepSolver(TypedDict):
    last: SolveInfo
    residual: float
    worst: WorstLaws

class StepGaps(TypedDict):
    lowest: float
    lowest_law: int
    constraint_error: float
    constraint_law: int

class StepParadox(TypedDict):
    kind: int
    law: int
    branch: int

class StepImplicit(TypedDict):
    newton_iterations: int
    projection_iterations: int
    set_iterations: int
    prox_first: int
    prox_second: int
    prox_failed: int
    projection: float

class StepShapes(TypedDict):
    repetitions: int
    overlap: float
    overlap_law: int

class StepInfo(TypedDict):
    t: float
    dt: float
    order: int
    active: int
    impacts: int
    chatter: int
    impact_limits: int
    gained: float
    dissipated: float
    asleep: int
    switches: int
    solver: StepSolver
    gaps: StepGaps
    paradox: StepParadox
    implicit: StepImplicit
    shapes: StepShapes

class StudyOrder(TypedDict):
    axis: int
    x: float
    difference: float
    order: float

Switching = TypedDict("Switching", {"t": float, "dt": float, "law": int, "from": int, "to": int, "from_slip": list[float], "to_slip": list[float], "PN": float, "PF": list[float], "lost": float, "lost_before": float, "impact": int, "bounces": int, "limit": float, "source": int, "key": int, "name": str, "slips": int, "rolls": int})

class SystemConstants(TypedDict):
    mass: bool
    directions: bool
    identity_rates: bool
    position_forces: bool

class SystemInput(TypedDict):
    name: str
    unit: str
    label: str
    start: float
    rate: float
    has_rate: bool

class VanishedLaws(TypedDict):
    dissipated: float
    driven: float
    impacts: int
    chatter: int

OK: int
NOT_CONVERGED: int
NO_SOLUTION: int
INTERRUPTED: int
ERROR_MEMORY: int
ERROR_ARGUMENT: int
ERROR_NAME: int
ERROR_DIMENSION: int
ERROR_NUMBER: int
ERROR_MODEL: int
ERROR_FILE_SYNTAX: int
ERROR_FILE_LIMIT: int
ERROR_SINGULAR: int
ERROR_STEP: int
ERROR_IO: int
ERROR_UNSUPPORTED: int
LOG_NOTE: int
LOG_WARNING: int
NUMBER: int
VARIABLE: int
NEGATE: int
SQRT: int
EXP: int
LOG: int
SIN: int
COS: int
TAN: int
ASIN: int
ACOS: int
ATAN: int
SINH: int
COSH: int
TANH: int
ABS: int
SIGN: int
NOT: int
ADD: int
SUBTRACT: int
MULTIPLY: int
DIVIDE: int
POWER: int
ATAN2: int
MIN: int
MAX: int
LESS: int
LESS_EQUAL: int
EQUAL: int
AND: int
OR: int
WHEN: int
TABLE: int
OP_COUNT: int
TABLE_LINEAR: int
TABLE_CUBIC: int
BILATERAL: int
UNILATERAL: int
COULOMB: int
RESERVOIR: int
ROLLING: int
OPEN: int
STICK: int
SLIP: int
FORECAST_EXPLICIT: int
FORECAST_FREE: int
FORECAST_MIXED: int
METRIC_IDENTITY: int
METRIC_INERTIA: int
PROJECTION_DECOUPLED: int
PROJECTION_COUPLED: int
PROJECTION_AFTER: int
SLIP_MEAN: int
SLIP_END: int
SUBSTEPS_ODD: int
SUBSTEPS_NATURAL: int
STEP_CONTROL_FORECAST: int
STEP_CONTROL_PAPER: int
RESTITUTION_ALWAYS: int
RESTITUTION_IMPACTS: int
RESTITUTION_MODIFIED: int
IMPACT_OF_RUN: int
IMPACT_POISSON: int
IMPACT_SEQUENTIAL: int
IMPACT_NEWTON: int
PAIRS_NONE: int
PAIRS_BODIES: int
PAIRS_MATERIALS: int
STATE_CONTINUOUS: int
STATE_SAMPLED: int
STATE_HELD: int
SIGNAL_GAP: int
SIGNAL_FORCE: int
SIGNAL_MODE: int
EVENT_CROSSES: int
EVENT_RISES: int
EVENT_FALLS: int
EVENT_OPENS: int
EVENT_CLOSES: int
EVENT_STICKS: int
EVENT_SLIPS: int
EVENT_IMPACT: int
FRAME: int
PARTICLE: int
PLANAR_BODY: int
SPATIAL_BODY: int
NODE: int
REVOLUTE: int
SPHERICAL: int
PRISMATIC: int
CYLINDRICAL: int
UNIVERSAL: int
WELD: int
DISTANCE: int
GEAR: int
MOTOR: int
LINEAR_MOTOR: int
BALL_PLANE: int
BALL_BALL: int
PIN_HOLE: int
RIM_PLANE: int
POINT_LEVEL: int
JOURNAL: int
SHAPE_DISK: int
SHAPE_SPHERE: int
SHAPE_HALF_SPACE: int
SHAPE_SEGMENT: int
SHAPE_CAPSULE: int
SHAPE_RECTANGLE: int
SHAPE_BOX: int
SHAPE_POLYGON: int
SHAPE_POLYHEDRON: int
SHAPE_CYLINDER: int
SHAPE_POLYLINE: int
SHAPE_MESH: int
SHAPE_ELLIPSOID: int
SHAPE_KINDS: int
DRAW_LINE: int
DRAW_POLYGON: int
DRAW_CIRCLE: int
DRAW_SPRING: int
DRAW_ARROW: int
DRAW_TEXT: int
DRAW_GROUND: int
DRAW_SPHERE: int
DRAW_BOX: int
DRAW_CYLINDER: int
DRAW_MESH: int
DRAW_KINDS: int
BEAM_EULER_BERNOULLI: int
BEAM_RAYLEIGH: int
BEAM_TIMOSHENKO: int
SECTION_GIVEN: int
SECTION_CIRCLE: int
SECTION_TUBE: int
SECTION_RECTANGLE: int
UX: int
UY: int
UZ: int
RX: int
RY: int
RZ: int
PARADOX_NONE: int
PARADOX_INDETERMINATE: int
PARADOX_INCONSISTENT: int
PARADOX_STEEP: int
PARADOX_LOCKED: int
BRANCH_OPENED: int
BRANCH_SLID: int
BRANCH_IMPACT: int
DECISION_SMOOTH: int
DECISION_INACCURATE: int
DECISION_DETECTED: int
DECISION_RESOLVED: int
DECISION_FAILED: int
LOAD_SAME_MODEL: int
LOAD_CHANGED_MODEL: int
COLUMN_TIME: int
COLUMN_COORDINATE: int
COLUMN_VELOCITY: int
COLUMN_GAP: int
COLUMN_LAW_VELOCITY: int
COLUMN_PERCUSSION: int
COLUMN_MODE: int
COLUMN_ENERGY: int
COLUMN_STEP: int
COLUMN_OBSERVABLE: int
COLUMN_INPUT: int
COLUMN_FORCE: int
COLUMN_IMPULSE: int
COLUMN_WORK: int
AXIS_PARAMETER: int
AXIS_START: int
AXIS_OPTION: int
SAMPLING_GRID: int
SAMPLING_LIST: int
SAMPLING_RANDOM: int
SAMPLING_LATIN: int
SAMPLING_SOBOL: int
CONTINUATION_NONE: int
CONTINUATION_FORTH: int
CONTINUATION_FORTH_AND_BACK: int
CHANGE_IMPACT: int
CHANGE_CLOSES: int
CHANGE_OPENS: int
CHANGE_SLIPS: int
CHANGE_STICKS: int
CHANGE_REVERSES: int
CHANGE_EVENT: int
CHANGE_SWITCH: int
CHANGE_TIME: int
ORBIT_REGULAR: int
ORBIT_START: int
ORBIT_END: int
ORBIT_FOLD: int
ORBIT_FLIP: int
ORBIT_NEIMARK: int
ORBIT_CROSSING: int
ORBIT_GRAZING: int
ORBIT_TOUCH: int
ORBIT_LIFT: int
ORBIT_LAND: int
ORBIT_SLIP: int
ORBIT_STICK: int
ORBIT_UNSTICK: int
ORBIT_IMPACT: int
ORBIT_ORDER: int
ORBIT_SWITCH: int
ORBIT_CHATTER: int
ORBIT_HOPF: int
