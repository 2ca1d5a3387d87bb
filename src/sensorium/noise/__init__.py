"""Faults: what electronics do to a signal, as objects that stand in a chain in signal order."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from sensorium.noise.bias import Bias
from sensorium.noise.bias_instability import BiasInstability
from sensorium.noise.chain import Chain, ChainState, chain_problems
from sensorium.noise.cross_axis import CrossAxis
from sensorium.noise.dropout import Dropout
from sensorium.noise.fault import Fault, Operation, Step
from sensorium.noise.gauss_markov import GaussMarkov
from sensorium.noise.latency import Latency
from sensorium.noise.low_pass import LowPass
from sensorium.noise.misalignment import Misalignment
from sensorium.noise.quantisation import Quantisation
from sensorium.noise.random_walk import RandomWalk
from sensorium.noise.saturation import Saturation
from sensorium.noise.scale_factor import ScaleFactor
from sensorium.noise.spectral_noise import SpectralNoise
from sensorium.noise.temperature_drift import TemperatureDrift
from sensorium.noise.turn_on_bias import TurnOnBias
from sensorium.noise.vibration import Vibration
from sensorium.noise.white_noise import WhiteNoise

FaultUnion = (
    Bias | BiasInstability | CrossAxis | Dropout | GaussMarkov | Misalignment | Quantisation | RandomWalk | Saturation
    | ScaleFactor | SpectralNoise | TemperatureDrift | TurnOnBias | Vibration | WhiteNoise
)  # fmt: skip
AnyFault = Annotated[FaultUnion, Field(discriminator="type")]
"""What may stand in the chain of any sensor with up to three axes."""

__all__ = [
    "AnyFault", "Bias", "BiasInstability", "Chain", "ChainState", "CrossAxis", "Dropout", "Fault", "FaultUnion", "GaussMarkov",
    "Latency", "LowPass", "Misalignment", "Operation", "Quantisation", "RandomWalk", "Saturation", "ScaleFactor",
    "SpectralNoise", "Step", "TemperatureDrift", "TurnOnBias", "Vibration", "WhiteNoise", "chain_problems",
]  # fmt: skip
