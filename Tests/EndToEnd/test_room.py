"""Contents that a disk has no room for."""

import os
import subprocess
import unittest

import programs
import scenario
import transfers

MEBIBYTE = transfers.MEBIBYTE


@unittest.skipUnless(os.geteuid() == 0, "only root can mount")
class Room(scenario.Scenario):
    def free(self, device):
        status = os.statvfs(device.home)
        return status.f_bavail * status.f_frsize

    def test_a_file_that_fits_once_but_not_twice_is_sent(self):
        self.start_cloud()
        laptop = programs.Device(self.folder, "laptop")
        self.mount(laptop.home, "64m")
        self.addCleanup(laptop.kill)
        laptop.join(self.cloud)
        laptop.start()
        desktop = self.device("desktop")
        transfers.write_noise(laptop.path("long"), 40 * MEBIBYTE)
        transfers.cross(laptop, desktop, "long", 60)
        self.settle(laptop, desktop)

    def test_what_does_not_fit_is_not_fetched_until_it_does(self):
        self.start_cloud()
        laptop = self.device("laptop")
        transfers.write_noise(laptop.path("long"), 100 * MEBIBYTE)
        laptop.wait(120)
        wire = transfers.Wire(self.cloud)
        self.addCleanup(wire.close)
        desktop = programs.Device(self.folder, "desktop")
        self.mount(desktop.home, "64m")
        self.addCleanup(desktop.kill)
        desktop.join(wire)
        desktop.start()
        stuck = programs.until(lambda: desktop.json("status")["stuck"], "it is stuck")
        self.assertEqual(stuck[0]["code"], "disk-full")
        self.assertTrue(stuck[0]["next"])
        self.assertIn(b"too little room", desktop.command("why", desktop.path("long")))
        # What fits comes meanwhile.
        transfers.write_noise(laptop.path("photo"), MEBIBYTE, 2)
        programs.save(laptop.path("note"), b"a note")
        transfers.cross(laptop, desktop, "note")
        transfers.cross(laptop, desktop, "photo")
        self.assertLess(wire.to_devices, 3 * MEBIBYTE)
        self.assertGreater(self.free(desktop), 50 * MEBIBYTE)
        subprocess.run(["mount", "-o", "remount,size=200m", desktop.home], check=True)
        transfers.cross(laptop, desktop, "long", 90)
        self.assertLess(wire.to_devices, 105 * MEBIBYTE)
