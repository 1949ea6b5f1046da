// The parts of three.js that space.js uses; scripts/make-three bundles them into three.js.
export {
  AmbientLight, BoxGeometry, BufferAttribute, BufferGeometry, CircleGeometry, Color, CylinderGeometry, DirectionalLight, DoubleSide, EdgesGeometry,
  GridHelper, Group, InstancedMesh, Line, LineBasicMaterial, LineLoop, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, ConeGeometry,
  PerspectiveCamera, Quaternion, Raycaster, Scene, SphereGeometry, Vector2, Vector3, WebGLRenderer, CanvasTexture, Sprite, SpriteMaterial
} from "three";
