// The core as JavaScript sees it: messages in, messages out, as Uint8Array.
//
// A call that throws has met a fault of the core and left its memory in pieces: make another core,
// and start the device from its rows again.

/** Makes the core from the bytes of core.wasm. A message that cannot be read is answered null. */
export async function openCore(bytes) {
  const { instance } = await WebAssembly.instantiate(bytes);
  const module = instance.exports;
  const seed = crypto.getRandomValues(new Uint32Array(2));
  module.ubiquity_seed(seed[0], seed[1]);

  // The memory may be another after every call: it is looked at anew each time.
  const given = (message, call) => {
    const place = module.ubiquity_allocate(message.length);
    new Uint8Array(module.memory.buffer, place, message.length).set(message);
    try {
      return call(place, message.length);
    } finally {
      module.ubiquity_free(place);
    }
  };
  const taken = (place) => {
    if (place === 0) return null;
    const count = new DataView(module.memory.buffer).getUint32(place, true);
    const message = new Uint8Array(module.memory.buffer, place + 4, count).slice();
    module.ubiquity_free(place);
    return message;
  };

  return {
    /** MergeQuestion to MergeAnswer. */
    merge: (question) => taken(given(question, module.ubiquity_merge)),

    /** A byte that names a kind of message, and the message: as this version writes it. */
    rewrite: (message) => taken(given(message, module.ubiquity_rewrite)),

    /** The SHA-256 of bytes. */
    hash: (content) => taken(given(content, module.ubiquity_hash)),

    /** A device from a ReplicaOrigin. */
    start(origin) {
      const device = given(origin, module.ubiquity_start);
      if (device === 0) return null;
      return {
        /** What it wants done first: a ReplicaOutput. */
        firstOutput: () => taken(module.ubiquity_first_output(device)),
        /** ReplicaInput to ReplicaOutput. */
        receive: (input) =>
          taken(given(input, (place, count) => module.ubiquity_receive(device, place, count))),
        stop: () => module.ubiquity_stop(device),
      };
    },

    memoryBytes: () => module.memory.buffer.byteLength,
  };
}
