"""A world of MuJoCo that steps and remembers.

The state of an instant is recorded after the engine has computed its forces there with the command that led to it: an
accelerometer that is read at t cannot feel a command that is only given at t, nor one that is read at time 0 any
command. That is also what MuJoCo's own sensors show after `mj_step` and `mj_forward`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sensorium.core.errors import MotionError, SceneError, did_you_mean
from sensorium.core.time import NANOSECONDS_PER_SECOND
from sensorium.motion.mujoco.commands import Commands, Constant, control_numbers
from sensorium.motion.mujoco.loading import LoadedModel, gravity_of
from sensorium.motion.mujoco.record import Record

Floats = NDArray[np.float64]
Integrate = Callable[[Any, Any], None]
_MOST_STEPS = 20_000_000


class Dynamics:
    """Steps the engine and records; asking for the past never changes it.

    With commands the engine runs on by itself as far as anybody asks. Without (None) it waits for `advance`.
    """

    def __init__(self, loaded: LoadedModel, commands: Commands | None = None, keyframe: str | None = None) -> None:
        import mujoco

        self.path, self.model, self.moving = loaded.path, loaded.model, loaded.bodies
        self.gravity_m_s2 = gravity_of(self.model)
        self._data = mujoco.MjData(self.model)
        self.joints = _scalar_joints(self.model)
        self._position = np.array([self.model.jnt_qposadr[number] for number in self.joints.values()], np.int64)
        self._degree = np.array([self.model.jnt_dofadr[number] for number in self.joints.values()], np.int64)
        self.actuators = {self.model.actuator(number).name: number for number in range(self.model.nu)}
        self._integrate = _integrator(self.model)
        self._commands = commands
        self._told = control_numbers((commands or Constant()).actuators, self.actuators)
        data = self._data
        self._bodies = (np.array(self.moving, np.int64), self.model.body_rootid.astype(np.int64), np.array(self.gravity_m_s2),
                        data.xpos, data.xquat, data.cvel, data.cacc, data.subtree_com)  # fmt: skip
        self._coordinates = self._position, self._degree, data.qpos, data.qvel, data.qacc
        self.record = Record(len(self.moving), len(self.joints), float(self.model.opt.timestep))
        self._begin(keyframe)

    def _begin(self, keyframe: str | None) -> None:
        import mujoco

        if keyframe is not None:
            known = {self.model.key(number).name: number for number in range(self.model.nkey)}
            if keyframe not in known:
                raise SceneError(f"{self.path}: there is no keyframe '{keyframe}'.{did_you_mean(keyframe, known)}")
            mujoco.mj_resetDataKeyframe(self.model, self._data, known[keyframe])
        self._settle()

    def _settle(self) -> None:
        """Compute all forces of the state and record it."""
        import mujoco

        from sensorium.motion.mujoco.state_kernels import keep_bodies, keep_joints

        mujoco.mj_forward(self.model, self._data)
        mujoco.mj_rnePostConstraint(self.model, self._data)  # accelerations of bodies
        bodies, joints = self.record.next_rows()
        if not (keep_bodies(*self._bodies, bodies) and keep_joints(*self._coordinates, joints)):
            raise MotionError(
                f"{self.path}: the simulation became unstable at {self.now_ns * 1e-9:.6g} s; use a smaller time step "
                f"than {self.record.step_s:g} s, softer contacts or smaller commands"
            )
        self.record.grow()

    @property
    def now_ns(self) -> int:
        """The instant up to which the world is known."""
        return self.record.end_ns if self.record.count else 0

    @property
    def open_loop(self) -> bool:
        """Whether the commands are known beforehand."""
        return self._commands is not None

    def advance(self, command: Mapping[str, float] | ArrayLike | None = None) -> int:
        """Step once with control values, by name or all in the model's order; None keeps the last. Returns the instant."""
        if self._commands is not None:
            raise MotionError("this world follows commands that are known beforehand; open it without to drive it")
        if command is None:
            self._step(self._data.ctrl.copy())
        elif isinstance(command, Mapping):
            ctrl = self._data.ctrl.copy()
            ctrl[control_numbers(tuple(command), self.actuators)] = [float(value) for value in command.values()]
            self._step(ctrl)
        else:
            ctrl = np.asarray(command, np.float64)
            if ctrl.shape != (self.model.nu,):
                raise MotionError(
                    f"expected {self.model.nu} control values ({', '.join(self.actuators)}), found shape {ctrl.shape}"
                )
            self._step(ctrl)
        return self.now_ns

    def reach(self, time_ns: int) -> None:
        """Run on until a time is known; MotionError if that needs commands which nobody has given yet."""
        if time_ns <= self.record.end_ns:
            return
        if self._commands is None:
            raise MotionError(
                f"the world is known until {self.now_ns * 1e-9:.9g} s, but {time_ns * 1e-9:.9g} s was asked for; advance it first"
            )
        if time_ns > _MOST_STEPS * self.record.step_s * NANOSECONDS_PER_SECOND:
            raise MotionError(
                f"{time_ns * 1e-9:g} s would take more than {_MOST_STEPS} steps of {self.record.step_s:g} s"
            )
        while self.record.end_ns < time_ns:
            ctrl = self._data.ctrl.copy()
            ctrl[self._told] = self._commands.values_at(self.record.end_ns)
            self._step(ctrl)

    def _step(self, ctrl: Floats) -> None:
        """Apply a command during one step; forces that are known already are not computed again."""
        import mujoco

        if not np.isfinite(ctrl).all():
            raise MotionError(
                f"control values must be finite, found {dict(zip(self.actuators, ctrl.tolist(), strict=True))}"
            )
        if (ctrl != self._data.ctrl).any():
            self._data.ctrl[:] = ctrl
            mujoco.mj_forwardSkip(self.model, self._data, int(mujoco.mjtStage.mjSTAGE_VEL), 1)
        self._integrate(self.model, self._data)
        self._settle()

    def still_pose(self, number: int) -> tuple[Floats, Floats]:
        """Return place and quaternion of a body that never moves."""
        return self._data.xpos[number].copy(), self._data.xquat[number].copy()

    @property
    def other_joints(self) -> dict[str, str]:
        """Joints without a single coordinate, by name: free or ball."""
        kinds = {0: "free", 1: "ball"}
        joints = {self.model.joint(number).name: int(self.model.jnt_type[number]) for number in range(self.model.njnt)}
        return {name: kinds[kind] for name, kind in joints.items() if kind in kinds}


def joint_kind(model: Any, number: int) -> Literal["revolute", "prismatic"]:
    """Return what the coordinate of a hinge or slide is."""
    return "prismatic" if int(model.jnt_type[number]) == 2 else "revolute"


def _scalar_joints(model: Any) -> dict[str, int]:
    """Return hinges (type 3) and slides (2) by name."""
    return {model.joint(number).name: number for number in range(model.njnt) if int(model.jnt_type[number]) in (2, 3)}


def _integrator(model: Any) -> Integrate:
    """Return the call that moves a state whose forces are known one step on."""
    import mujoco

    kinds = mujoco.mjtIntegrator
    known: dict[int, Integrate] = {
        int(kinds.mjINT_EULER): mujoco.mj_Euler,
        int(kinds.mjINT_IMPLICIT): mujoco.mj_implicit,
        int(kinds.mjINT_IMPLICITFAST): mujoco.mj_implicit,
        int(kinds.mjINT_RK4): lambda one, data: mujoco.mj_RungeKutta(one, data, 4),
    }
    otherwise: Integrate = mujoco.mj_step
    return known.get(int(model.opt.integrator), otherwise)


def open_dynamics(
    path: Path, commands: Commands | None = None, step_s: float | None = None, keyframe: str | None = None
) -> Dynamics:
    """Load a model and start it; without commands it waits for `advance`."""
    from sensorium.motion.mujoco.loading import load_model

    return Dynamics(load_model(path, step_s), commands, keyframe)
