"use strict";
// Unpacks the library in the page of `picus live`: the format of RFC 1950 and 1951, at once, so that the page needs no
// asynchronous interface of the browser. The global is window.PicusInflate.
(() => {
  const WIDE = 15; // bits of the longest code
  // Extra bits and least values of lengths (from 3) and distances (from 1).
  const ranges = (count, least, extra) => {
    const list = [];
    for (let k = 0, value = least; k < count; value += 1 << extra(k), k++) list.push([extra(k), value]);
    return list;
  };
  const lengths = ranges(28, 3, (k) => (k < 8 ? 0 : (k >> 2) - 1)), distances = ranges(30, 1, (k) => (k < 4 ? 0 : (k >> 1) - 1));
  lengths.push([0, 258]);

  // By the next bits: the symbol, and the bits of its code in the lower half byte.
  function codeTable(sizes) {
    const table = new Uint16Array(1 << WIDE);
    let code = 0;
    for (let size = 1; size <= WIDE; size++, code <<= 1)
      for (let symbol = 0; symbol < sizes.length; symbol++) {
        if (sizes[symbol] !== size) continue;
        let first = 0; // codes begin with their highest bit
        for (let k = 0; k < size; k++) first |= (code >> k & 1) << (size - 1 - k);
        for (let k = first; k < table.length; k += 1 << size) table[k] = symbol << 4 | size;
        code++;
      }
    return table;
  }

  class Unpacker {
    constructor(bytes, size) { Object.assign(this, { bytes, at: 2, held: 0, hold: 0, out: new Uint8Array(size), done: 0 }); }
    take(count) {
      while (this.held < count) { this.hold |= this.bytes[this.at++] << this.held; this.held += 8; }
      const value = this.hold & (1 << count) - 1;
      this.hold >>>= count;
      this.held -= count;
      return value;
    }
    symbol(table) {
      while (this.held < WIDE) { this.hold |= this.bytes[this.at++] << this.held; this.held += 8; }
      const entry = table[this.hold & (1 << WIDE) - 1];
      if (!entry) throw new Error("the library in this page is damaged");
      this.hold >>>= entry & 15;
      this.held -= entry & 15;
      return entry >> 4;
    }
    stored() {
      this.at -= this.held >> 3;
      this.held = this.hold = 0;
      const count = this.bytes[this.at] | this.bytes[this.at + 1] << 8;
      this.out.set(this.bytes.subarray(this.at + 4, this.at + 4 + count), this.done);
      this.at += 4 + count;
      this.done += count;
    }
    // The codes of a block: those that every reader knows, or its own, which are coded themselves.
    codes(kind) {
      if (kind === 1) return [[...Array(288).keys()].map((k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8)), Array(30).fill(5)].map(codeTable);
      const literals = this.take(5) + 257, far = this.take(5) + 1, given = this.take(4) + 4, order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15], first = Array(19).fill(0), sizes = [];
      for (let k = 0; k < given; k++) first[order[k]] = this.take(3);
      const table = codeTable(first);
      while (sizes.length < literals + far) {
        const s = this.symbol(table);
        if (s < 16) { sizes.push(s); continue; }
        const again = s === 16 ? 3 + this.take(2) : s === 17 ? 3 + this.take(3) : 11 + this.take(7), size = s === 16 ? sizes[sizes.length - 1] : 0;
        for (let k = 0; k < again; k++) sizes.push(size);
      }
      return [codeTable(sizes.slice(0, literals)), codeTable(sizes.slice(literals))];
    }
    block() {
      const last = this.take(1), kind = this.take(2), out = this.out;
      if (kind === 0) { this.stored(); return last; }
      const [literal, far] = this.codes(kind);
      for (;;) {
        const s = this.symbol(literal);
        if (this.done > out.length || this.at > this.bytes.length + 4) throw new Error("the library in this page is damaged");
        if (s === 256) return last;
        if (s < 256) { out[this.done++] = s; continue; }
        const [more, least] = lengths[s - 257], count = least + this.take(more), [extra, from] = distances[this.symbol(far)], back = from + this.take(extra);
        for (let k = 0; k < count; k++, this.done++) out[this.done] = out[this.done - back];
      }
    }
  }

  // The checksum at the end, of Adler.
  function isWhole(bytes, out) {
    let a = 1, b = 0;
    for (let k = 0; k < out.length; ) {
      for (const end = Math.min(out.length, k + 3000); k < end; k++) { a += out[k]; b += a; }
      a %= 65521;
      b %= 65521;
    }
    return bytes.slice(-4).reduce((sum, byte) => 256 * sum + byte, 0) === 65536 * b + a;
  }

  window.PicusInflate = (bytes, size) => {
    const unpacker = new Unpacker(bytes, size);
    while (!unpacker.block()) continue;
    if (unpacker.done !== size || !isWhole(bytes, unpacker.out)) throw new Error("the library in this page is damaged");
    return unpacker.out;
  };
})();
