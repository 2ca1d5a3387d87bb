"""The signals of navigation satellites that a receiver may track, as the interface documents have them."""

from __future__ import annotations

from dataclasses import dataclass

from sensorium.core.earth import SPEED_OF_LIGHT_M_S

L1_HZ, L5_HZ = 1_575.42e6, 1_176.45e6


@dataclass(frozen=True)
class SatelliteSignal:
    """One ranging signal."""

    system: str
    """Letter of RINEX."""
    code: str
    """Band and attribute of RINEX 3."""
    frequency_hz: float
    """Of channel 0 for GLONASS, which adds `channel_step_hz` per channel."""
    chip_rate_hz: float
    modulation: str
    """bpsk: a triangle as correlation; boc: BOC(1,1), of which the 10/11 of CBOC and TMBOC are made."""
    power_dbw: float
    """Least received power of the tracked component, isotropic antenna, at 5 degrees of elevation."""
    channel_step_hz: float = 0.0

    @property
    def chip_m(self) -> float:
        """Length of a chip."""
        return SPEED_OF_LIGHT_M_S / self.chip_rate_hz

    @property
    def lower(self) -> bool:
        """Whether it belongs to the lower band, around 1.2 GHz."""
        return self.frequency_hz < 1.4e9


SIGNALS = {
    # IS-GPS-200N, table 3-Va
    "GPS L1": SatelliteSignal("G", "1C", L1_HZ, 1.023e6, "bpsk", -158.5),
    # IS-GPS-705J, section 3.3.1.6: -157.9 dBW for I5 and for Q5
    "GPS L5": SatelliteSignal("G", "5Q", L5_HZ, 10.23e6, "bpsk", -157.9),
    # Galileo OS SIS ICD 2.1, table 11: -157.25 dBW (E1) and -155.25 dBW (E5a), of which half is in the pilot
    "Galileo E1": SatelliteSignal("E", "1C", L1_HZ, 1.023e6, "boc", -160.26),
    "Galileo E5a": SatelliteSignal("E", "5Q", L5_HZ, 10.23e6, "bpsk", -158.26),
    # GLONASS ICD 5.1, section 3.3.1.4
    "GLONASS G1": SatelliteSignal("R", "1C", 1_602e6, 0.511e6, "bpsk", -161.0, 562.5e3),
    # BDS-SIS-ICD-B1I-3.0, section 4.2.2
    "BeiDou B1I": SatelliteSignal("C", "2I", 1_561.098e6, 2.046e6, "bpsk", -163.0),
}
