"""How echoes are found in a sampled waveform: threshold or matched filter, and where false alarms may come from.

Both look for excursions of a signal with the noise sigma. One begins at the first sample above k sigma and ends at the first
below (k - h) sigma, h being the hysteresis. Its highest sample is an echo; so is every further peak that the signal reaches
after it has fallen by h sigma and risen by as much again. Two echoes are told apart if the valley between them is that deep.
"""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from sensorium.core.configuration import configured
from sensorium.core.units import PositiveNumber

Floats = NDArray[np.float64]
Hysteresis = Annotated[PositiveNumber, Field(le=30)]

FRACTION, CENTROID, MATCHED = range(3)
"""Ways to read the time of a peak, in the order of the kernels."""


@configured
class ConstantFraction:
    """The time at which the leading edge passes a fraction of the peak sample, by a straight line between two samples.

    Strength does not move it: fraction and peak scale together, so there is no walk below saturation. What the straight line
    and the missed top do to it depends on the place of the echo between two samples alone and is taken off by a table. Pulses of
    fewer than two samples leave little for it to look up, and noise grows: take the centroid or the matched filter there. If
    the edge does not fall to the fraction, because an earlier echo is in its way, a parabola through the top takes its place.
    """

    type: Literal["constant_fraction"] = "constant_fraction"
    fraction: Annotated[float, Field(gt=0.05, lt=0.95)] = 0.5

    def figures(self, fwhm_samples: float) -> tuple[int, float]:
        """Return code and parameter for the kernels; the pulse has this width."""
        return FRACTION, self.fraction


@configured
class Centroid:
    """The centre of gravity of the samples round the peak, `reach` pulse widths to either side.

    The window starts and ends at whole samples, which pulls the result towards the peak sample; an asymmetric pulse shifts it
    by a constant. Both are taken off by a table. An echo inside the window of another pulls it over: this is not corrected.
    """

    type: Literal["centroid"] = "centroid"
    reach: Annotated[float, Field(ge=0.5, le=3)] = 1.0

    def figures(self, fwhm_samples: float) -> tuple[int, float]:
        """Return code and parameter for the kernels; the pulse has this width."""
        return CENTROID, float(math.ceil(self.reach * fwhm_samples))


AnyTiming = Annotated[ConstantFraction | Centroid, Field(discriminator="type")]


@configured
class Threshold:
    """The samples themselves are compared with k sigma, sigma being the receiver's noise.

    An isolated echo with the samples s_i is detected with the probability 1 - prod Phi(k - s_i / sigma): every sample that is
    looked at is a chance. With a pulse of one sample this is the Phi(P / sigma - k) of the echo mode, up to the faint samples
    beside it. The power is read at the highest sample, which noise has helped to be the highest: too large by up to a sigma.
    """

    type: Literal["threshold"] = "threshold"
    timing: AnyTiming = Field(default_factory=ConstantFraction)
    hysteresis_sigmas: Hysteresis = 4.0

    def alarms_per_sample(self, threshold_sigmas: float, taps: Floats) -> float:
        """Return how often noise alone raises an alarm: 1 / (1 / Q(k) + 1 / Phi(k - h)) for white noise.

        An alarm takes 1 / Q(k) samples to come and 1 / Phi(k - h) samples to end, on average (renewal theory; D. Cox, 1962).
        Further peaks before it ends are not counted: they add one percent at k = 3, a quarter at k = 2 (h = 4).
        """
        from scipy.stats import norm

        comes, ends = norm.sf(threshold_sigmas), norm.cdf(threshold_sigmas - self.hysteresis_sigmas)
        return float(comes * ends / (comes + ends))

    def template(self, taps: Floats) -> Floats:
        """Return the weights of the filter in front of the threshold: none."""
        return np.empty(0)

    def figures(self, fwhm_samples: float) -> tuple[int, float]:
        """Return code and parameter for the kernels."""
        return self.timing.figures(fwhm_samples)


@configured
class MatchedFilter:
    """The samples are correlated with the pulse h first: z_n = sum y_(n+i) h_i / sum h_i^2, the best estimate of the power.

    The noise of z is sigma / sqrt(sum h_i^2): the signal-to-noise ratio of an echo grows by this root (the noise gain), which
    is the most that any linear filter can do (D. North, RCA report PTR-6C, 1943). The threshold counts in the sigma of z. The
    time is the top of a parabola through the highest three values; its error at high signal-to-noise ratio is the least
    possible, sigma_t = sigma / (P sqrt(sum h'_i^2)) (the Cramer-Rao bound).
    """

    type: Literal["matched_filter"] = "matched_filter"
    hysteresis_sigmas: Hysteresis = 4.0

    def alarms_per_sample(self, threshold_sigmas: float, taps: Floats) -> float:
        """Return how often noise alone raises an alarm: z crosses k sigma upwards with 2 T(k, sqrt((1 - r) / (1 + r))).

        T is Owen's function and r the correlation of neighbouring z; for dense samples this is the rate of S. Rice (1945),
        sqrt(-R''(0) / R(0)) exp(-k^2 / 2) / (2 pi). It counts close crossings singly: an upper bound, tight from k = 3.
        """
        from scipy.special import owens_t

        correlation = float(taps[1:] @ taps[:-1] / (taps @ taps))
        return float(2 * owens_t(threshold_sigmas, math.sqrt((1 - correlation) / (1 + correlation))))

    def template(self, taps: Floats) -> Floats:
        """Return the weights of the filter in front of the threshold for the sampled pulse."""
        return taps / (taps @ taps)

    def figures(self, fwhm_samples: float) -> tuple[int, float]:
        """Return code and parameter for the kernels."""
        return MATCHED, 0.0


AnyDetection = Annotated[Threshold | MatchedFilter, Field(discriminator="type")]


@configured
class NearEchoes:
    """Looks only where light arrives: round every echo, while it is above a tenth of its peak or above the noise, and where the
    air outshines the noise.

    Fast, and quiet: empty beams stay empty, as in the echo mode.
    """

    type: Literal["near_echoes"] = "near_echoes"


@configured
class Everywhere:
    """Looks at every sample between the limits, so that noise alone raises alarms in empty beams, as it does in real units.

    Their expected number per beam is `Waveform.false_alarms`.
    """

    type: Literal["everywhere"] = "everywhere"
    alarms_per_beam: Annotated[PositiveNumber, Field(lt=10)] | None = None
    """Wanted number of false alarms in an empty beam: sets the threshold; None: the receiver's `threshold_sigmas` holds."""


AnySearch = Annotated[NearEchoes | Everywhere, Field(discriminator="type")]
