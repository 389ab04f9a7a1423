import SyncServer
import Testing
