"use strict";
// What surrounds the bodies in space: light and shadows, a floor with a grid that fades, and the axes in the corner. Uses the
// global THREE (three.js); the global is window.PicusStage.
window.PicusStage = class {
  constructor(scene, renderer, tools, software) {
    Object.assign(this, { scene, renderer, tools });
    this.sky = new THREE.HemisphereLight(0xffffff, 0x9aa0a8, 1.9);
    this.sky.position.set(0, 0, 1);
    this.sun = new THREE.DirectionalLight(0xffffff, 1.7);
    this.sun.shadow.mapSize.set(software ? 1024 : 2048, software ? 1024 : 2048);
    this.sun.shadow.radius = 3;
    scene.add(this.sky, this.sun, this.sun.target);
    renderer.shadowMap.type = 2; // PCFSoftShadowMap, whose name the bundle does not have
    this.makeFloor();
    this.makeAxes();
  }

  // ---- the floor

  // A disk around the target: the colour of the model's ground, lines of a grid, both fading away. The shader of three.js does
  // light and shadows; the lines and the fading are added to it.
  makeFloor() {
    this.shared = { cell: { value: 1 }, reach: { value: 1 }, middle: { value: new THREE.Vector2() }, ink: { value: new THREE.Color() }, lines: { value: 1 }, fill: { value: 1 } };
    const material = new THREE.MeshLambertMaterial({ transparent: true, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.shared);
      shader.vertexShader = "varying vec2 spot;\n" + shader.vertexShader.replace("#include <begin_vertex>", "#include <begin_vertex>\nspot = (modelMatrix * vec4(position, 1.0)).xy;");
      shader.fragmentShader = "varying vec2 spot;\nuniform float cell, reach, lines, fill;\nuniform vec2 middle;\nuniform vec3 ink;\n" + shader.fragmentShader.replace("#include <dithering_fragment>", `
        float away = length(spot - middle) / reach, fade = 1.0 - smoothstep(0.25, 1.0, away);
        vec2 wide = spot / cell, fine = max(fwidth(wide), 1e-6), coarse = abs(fract(wide / 5.0 - 0.5) - 0.5) * 5.0 / fine, small = abs(fract(wide - 0.5) - 0.5) / fine;
        float near = 1.0 - clamp(max(fine.x, fine.y) * 2.5, 0.0, 1.0);
        float line = max(0.45 * near * (1.0 - clamp(min(small.x, small.y), 0.0, 1.0)), 1.0 - clamp(min(coarse.x, coarse.y), 0.0, 1.0)) * lines;
        float seen = mix(0.8 * line, 1.0, fill) * fade;
        gl_FragColor = vec4(mix(gl_FragColor.rgb, ink, fill > 0.5 ? 0.7 * line : 1.0), seen);
        #include <dithering_fragment>`);
    };
    this.floor = new THREE.Mesh(new THREE.CircleGeometry(1, 48), material);
    this.floor.receiveShadow = true;
    this.floor.renderOrder = -1;
    this.floor.raycast = () => {};
    this.floor.frustumCulled = false;
    this.scene.add(this.floor);
  }

  // The grounds of a drawing that are horizontal, seen from above and at rest: the lowest of them is drawn as the floor.
  static floorOf(r) {
    let best = null, low = Infinity;
    for (const s of r.drawing.shapes) {
      if (s.kind !== "ground" || window.PicusDraw.isMoving(r, s) || s.points.length < 3 || !s.fill || s.fill === "none") continue;
      const [a, b, c] = s.points.slice(0, 3).map((p) => r.point(s.frame, p)), u = b.map((x, i) => x - a[i]), v = c.map((x, i) => x - a[i]), up = u[0] * v[1] - u[1] * v[0];
      if (up > 0 && Math.hypot(u[2], v[2]) < 1e-9 * Math.hypot(...u, ...v) && a[2] < low) { best = s; low = a[2]; }
    }
    return best && { shape: best, height: low };
  }

  // Around the box of what moves: its middle and its radius. ground: as floorOf gives it.
  fit(middle, radius, low, ground) {
    this.ground = ground;
    const height = ground ? ground.height : Math.abs(low[2]) < 0.05 * radius ? 0 : low[2]; // a grid lies below what moves
    this.radius = radius;
    this.floor.position.set(middle[0], middle[1], height);
    this.floor.scale.setScalar(9 * radius);
    this.shared.reach.value = 9 * radius;
    this.shared.cell.value = window.PicusDraw.niceStep(2 * radius, 8);
    this.shared.middle.value.set(middle[0], middle[1]);
    const sun = this.sun, eye = sun.shadow.camera, half = 1.6 * radius;
    sun.target.position.set(...middle);
    Object.assign(eye, { left: -half, right: half, top: half, bottom: -half, near: 0.1 * radius, far: 9 * radius });
    eye.updateProjectionMatrix();
    sun.shadow.bias = -2e-4;
    sun.shadow.normalBias = 4e-3 * radius;
    this.follow(sun.target.position);
  }

  // Light and floor stay around what is looked at.
  follow(target) {
    this.sun.target.position.copy(target);
    this.sun.position.set(-1.5, -2.0, 3.3).multiplyScalar(this.radius).add(target);
    this.floor.position.x = target.x;
    this.floor.position.y = target.y;
    this.shared.middle.value.set(target.x, target.y);
  }

  retheme(shadows) {
    const tools = this.tools, theme = tools.theme(), paint = this.ground ? tools.colour(this.ground.shape.fill, theme.light) : null;
    this.floor.material.color.set(paint || theme.bg);
    this.shared.fill.value = paint ? 1 : 0;
    this.shared.ink.value.set(theme.axis).convertLinearToSRGB();
    this.shared.lines.value = tools.on("grid") ? 1 : 0;
    this.floor.visible = Boolean(paint) || tools.on("grid");
    this.renderer.shadowMap.enabled = shadows;
    this.sun.castShadow = shadows;
  }

  // ---- the axes in the corner

  makeAxes() {
    this.axes = new THREE.Scene();
    this.axesCamera = new THREE.OrthographicCamera(-1.5, 1.5, 1.5, -1.5, 0.1, 10);
    this.axesCamera.up.set(0, 0, 1);
    [["x", "#d55e00"], ["y", "#009e73"], ["z", "#2f86cf"]].forEach(([name, ink], k) => {
      const along = new THREE.Vector3(...[0, 1, 2].map((i) => (i === k ? 1 : 0))), material = new THREE.MeshBasicMaterial({ color: ink });
      const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.045, 0.045, 0.8, 8), material), head = new THREE.Mesh(new THREE.ConeGeometry(0.13, 0.3, 12), material);
      for (const [part, at] of [[shaft, 0.4], [head, 0.9]]) {
        part.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along);
        part.position.copy(along).multiplyScalar(at);
        this.axes.add(part);
      }
      const letter = window.PicusStage.label(name, ink, 64);
      letter.position.copy(along).multiplyScalar(1.28);
      letter.scale.set(0.5, 0.5, 1);
      this.axes.add(letter);
    });
  }

  drawAxes(turn, tilt, height) {
    const renderer = this.renderer, size = Math.min(84, 0.25 * height), clears = renderer.autoClear;
    this.axesCamera.position.set(Math.cos(turn) * Math.cos(tilt), Math.sin(turn) * Math.cos(tilt), Math.sin(tilt)).multiplyScalar(4);
    this.axesCamera.lookAt(0, 0, 0);
    renderer.autoClear = false;
    renderer.clearDepth();
    renderer.setViewport(4, 4, size, size);
    renderer.render(this.axes, this.axesCamera);
    renderer.autoClear = clears;
  }

  // A text that faces the viewer; its canvas has a width for all of it.
  static label(text, ink, width) {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = width;
    canvas.height = 64;
    pen.font = "600 44px system-ui, sans-serif";
    pen.fillStyle = ink;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(text, width / 2, 34, width);
    const map = new THREE.CanvasTexture(canvas);
    map.colorSpace = "srgb";
    return new THREE.Sprite(new THREE.SpriteMaterial({ map, depthTest: false, transparent: true }));
  }
};
