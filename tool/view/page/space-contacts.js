"use strict";
// Contacts in space: patches, arrows of forces and friction cones of one result, each kind drawn in one go and seen through
// bodies. The global is window.PicusContacts.
window.PicusContacts = class {
  constructor(part, tools) { Object.assign(this, { r: part.r, root: part.root, tools, room: 0, kinds: [] }); }

  // Makes place for so many.
  reserve(count) {
    if (this.room >= count && this.room > 0) return;
    this.kinds.forEach((mesh) => { this.root.remove(mesh); mesh.dispose(); mesh.geometry.dispose(); mesh.material.dispose(); });
    this.room = Math.max(16, 2 * count);
    const seen = { depthTest: false, transparent: true }, few = this.room < 200; // many of them are small
    const make = (surface, material) => {
      const mesh = new THREE.InstancedMesh(surface, new THREE.MeshBasicMaterial(material), this.room);
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      mesh.raycast = () => {};
      this.root.add(mesh);
      return mesh;
    };
    this.patch = make(new THREE.SphereGeometry(1, few ? 16 : 6, few ? 8 : 4), seen);
    this.shaft = make(new THREE.CylinderGeometry(1, 1, 1, few ? 8 : 3), seen);
    this.head = make(new THREE.ConeGeometry(1, 1, few ? 14 : 6), seen);
    this.cone = make(new THREE.ConeGeometry(1, 1, 32, 1, true), { transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false, depthTest: false });
    this.kinds = [this.patch, this.shaft, this.head, this.cone];
  }

  draw(unit, size) {
    const list = this.tools.on("contacts") ? [...this.r.drawing.sites, ...this.r.touching()] : [];
    this.reserve(list.length);
    this.kinds.forEach((mesh) => { mesh.count = 0; });
    this.unit = Math.min(0.3 * size, Math.max(0.01 * size, unit));
    this.usual = window.PicusDraw.arrowLength(unit, size) * Math.min(1, this.r.arrow / 0.2 + 0.35) * this.tools.arrowScale();
    for (const s of list) this.add(s);
    this.kinds.forEach((mesh) => {
      mesh.visible = mesh.count > 0;
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    });
  }

  add(s) {
    const { r, tools, unit } = this, place = s.place.map((c) => r.value(c));
    if (!place.every(isFinite)) return;
    const mode = s.now ? s.now.mode : window.PicusDraw.modeOf(r.ofStep(s.mode));
    const at = new THREE.Vector3(...place), colour = new THREE.Color(tools.modes[mode]), up = new THREE.Vector3(0, 1, 0);
    const put = (mesh, along, shift, scale) => {
      const turn = new THREE.Quaternion().setFromUnitVectors(up, along), matrix = new THREE.Matrix4();
      mesh.setMatrixAt(mesh.count, matrix.compose(at.clone().addScaledVector(along, shift), turn, new THREE.Vector3(...scale)));
      mesh.setColorAt(mesh.count++, colour);
    };
    const normal = s.normal ? new THREE.Vector3(...s.normal.map((c) => r.value(c))) : null, flat = normal !== null && normal.lengthSq() > 0.5;
    const flash = tools.flashOf(r, s.index), radius = unit * (mode ? 0.055 : 0.035) * (1 + 2.5 * flash);
    put(this.patch, flat ? normal.clone().normalize() : up, 0, [radius, flat ? 0.3 * radius : radius, radius]);
    const f = !mode ? [0, 0, 0] : s.now ? s.now.force : r.forceOf(s), force = Math.hypot(...f);
    if (force > 0 && isFinite(force)) {
      const length = this.usual * tools.forceLength(force / r.force), along = new THREE.Vector3(...f).multiplyScalar(1 / force), head = Math.min(0.35 * length, 0.12 * unit), thick = Math.min(0.013 * unit, 0.05 * length);
      put(this.shaft, along, 0.5 * (length - head), [thick, length - head, thick]);
      put(this.head, along, length - 0.5 * head, [3 * thick, head, 3 * thick]);
    }
    if (!tools.on("cones") || !mode || !(s.mu > 0) || !flat) return;
    const h = 0.6 * unit;
    put(this.cone, normal.negate(), -h / 2, [h * s.mu, h, h * s.mu]);
  }
};
