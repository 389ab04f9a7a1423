// DeviceSocket: see ARCHITECTURE.md.
