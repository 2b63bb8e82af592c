// Two layers of deck.gl that draw links and points as one mesh each.
//
// The layers that come with deck.gl draw an instance a line. A graphics card does not mind; where a processor draws
// (a browser without one, such as a headless one), every instance costs as much as a drawing of its own.

import { Layer, project32, type DefaultProps, type LayerProps } from "@deck.gl/core";
import type { Buffer, Device } from "@luma.gl/core";
import { Model } from "@luma.gl/engine";

const LINKS = `#version 300 es
#define SHADER_NAME links-vertex
in vec2 starts;
in vec2 stops;
in vec2 corners; // x: 0 at the start, 1 at the end; y: -1 or 1, the side
in float widths; // pixels
in vec4 colours;
out vec4 colour;
void main(void) {
  vec4 a = project_position_to_clipspace(vec3(starts, 0.0), vec3(0.0), vec3(0.0));
  vec4 b = project_position_to_clipspace(vec3(stops, 0.0), vec3(0.0), vec3(0.0));
  vec2 along = (b.xy - a.xy) * project.viewportSize;
  vec2 side = vec2(-along.y, along.x) / max(length(along), 1e-6);
  vec2 offset = project_pixel_size_to_clipspace(side * corners.y * widths * 0.5);
  gl_Position = mix(a, b, corners.x) + vec4(offset, 0.0, 0.0);
  colour = colours;
}`;

const PLAIN = `#version 300 es
#define SHADER_NAME links-fragment
precision mediump float;
in vec4 colour;
out vec4 fragColor;
void main(void) {
  fragColor = colour;
}`;

const POINTS = `#version 300 es
#define SHADER_NAME points-vertex
in vec2 places;
in vec4 shapes; // size in pixels, pixels below the place, number of the shape, unused
in vec4 colours;
out vec4 colour;
flat out float shape;
flat out float size;
void main(void) {
  gl_Position = project_position_to_clipspace(vec3(places, 0.0), vec3(0.0), vec3(0.0));
  gl_Position.xy += project_pixel_size_to_clipspace(vec2(0.0, shapes.y));
  gl_PointSize = shapes.x * project.devicePixelRatio;
  colour = colours;
  shape = shapes.z;
  size = gl_PointSize;
}`;

const SHAPES = `#version 300 es
#define SHADER_NAME points-fragment
precision mediump float;
in vec4 colour;
flat in float shape;
flat in float size;
out vec4 fragColor;
// Distance to the edge of a shape of radius 1, negative inside.
float star(vec2 p) {
  float sector = 3.14159265 / 5.0;
  float turn = mod(atan(p.x, p.y), 2.0 * sector) - sector;
  vec2 q = length(p) * vec2(cos(turn), abs(sin(turn)));
  vec2 tip = vec2(cos(sector), sin(sector));
  vec2 notch = vec2(0.42, 0.0);
  vec2 edge = normalize(tip - notch);
  return dot(q - notch, vec2(edge.y, -edge.x)) * 1.0;
}
void main(void) {
  vec2 p = (gl_PointCoord * 2.0 - 1.0) * vec2(1.0, -1.0);
  float d;
  if (shape < 0.5) d = length(p) - 0.9;
  else if (shape < 1.5) d = abs(length(p) - 0.8) - 0.13;
  else if (shape < 2.5) d = max(abs(p.x) * 0.866 + p.y * 0.5, -p.y) - 0.48;
  else if (shape < 3.5) {
    vec2 q = vec2(abs(p.x + p.y), abs(p.x - p.y)) * 0.7071;
    d = max(min(q.x, q.y) - 0.24, max(q.x, q.y) - 0.95);
  } else d = star(p);
  float soft = 1.6 / size;
  float cover = 1.0 - smoothstep(-soft, soft, d);
  if (cover < 0.02) discard;
  fragColor = vec4(colour.rgb, colour.a * cover);
}`;

export const SHAPE = { circle: 0, ring: 1, triangle: 2, cross: 3, star: 4 } as const;

/** Buffers that are written again when their number of items stays, and made anew when it changes. */
class Buffers {
  private held: Record<string, Buffer> = {};

  constructor(private readonly device: Device) {}

  put(name: string, data: Float32Array | Uint8Array | Uint32Array, index = false): Buffer {
    const now = this.held[name];
    if (now && now.byteLength === data.byteLength) {
      now.write(data);
      return now;
    }
    now?.destroy();
    return (this.held[name] = index ? this.device.createBuffer({ usage: 0x10, data }) : this.device.createBuffer({ data }));
  }

  free(): void {
    for (const buffer of Object.values(this.held)) buffer.destroy();
    this.held = {};
  }
}

abstract class MeshLayer<P extends object> extends Layer<Required<P>> {
  static override layerName = "MeshLayer";
  declare state: { model: Model | null; buffers: Buffers };

  override initializeState(): void {
    this.getAttributeManager()?.remove(["instancePickingColors"]);
    this.setState({ model: null, buffers: new Buffers(this.context.device) });
  }

  override finalizeState(context: never): void {
    super.finalizeState(context);
    this.state.model?.destroy();
    this.state.buffers?.free();
  }

  override draw(): void {
    this.state.model?.draw(this.context.renderPass);
  }

  protected make(vs: string, fs: string, topology: "triangle-list" | "point-list", layout: [string, "float32x2" | "float32" | "unorm8x4" | "float32x4"][]): Model {
    const bufferLayout = layout.map(([name, format]) => ({ name, format }));
    return new Model(this.context.device, { id: this.id, vs, fs, modules: [project32], topology, bufferLayout, isInstanced: false, vertexCount: 0 } as never);
  }
}

interface LinksProps {
  source: Float32Array; // x, y, 0 by link
  target: Float32Array;
  paint: Uint8Array; // RGBA by link
  width: Float32Array; // pixels
}

/** Straight lines with a width in pixels and a colour each. */
export class LinksLayer extends MeshLayer<LinksProps> {
  static override layerName = "LinksLayer";
  static override defaultProps = { source: { type: "data", value: null }, target: { type: "data", value: null }, paint: { type: "data", value: null } } as never as DefaultProps<LinksProps>;

  constructor(props: LinksProps & LayerProps) {
    super(props as never);
  }

  override shouldUpdateState(): boolean {
    return true;
  }

  override updateState({ props, oldProps }: { props: LinksProps; oldProps: Partial<LinksProps> } & never): void {
    const { source, target, paint, width } = props as LinksProps;
    const count = source.length / 3;
    let { model } = this.state;
    if (!count || source === (oldProps as Partial<LinksProps>).source) {
      if (!count) model?.setVertexCount(0);
      return;
    }
    const { buffers } = this.state;
    if (!model) {
      const layout = [["starts", "float32x2"], ["stops", "float32x2"], ["corners", "float32x2"], ["widths", "float32"], ["colours", "unorm8x4"]] as const; // prettier-ignore
      model = this.make(LINKS, PLAIN, "triangle-list", layout as never);
      this.setState({ model });
    }
    const words = new Uint32Array(paint.buffer, paint.byteOffset, count);
    model.setAttributes({
      starts: buffers.put("starts", fourfold(source)),
      stops: buffers.put("stops", fourfold(target)),
      corners: buffers.put("corners", corners(count)),
      widths: buffers.put("widths", Float32Array.from({ length: 4 * count }, (_, i) => width[i >> 2]!)),
      colours: buffers.put("colours", new Uint8Array(Uint32Array.from({ length: 4 * count }, (_, i) => words[i >> 2]!).buffer)),
    });
    model.setIndexBuffer(buffers.put("index", index(count), true));
    model.setVertexCount(6 * count);
  }
}

function fourfold(ends: Float32Array): Float32Array {
  const count = ends.length / 3;
  const all = new Float32Array(8 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 4; k++) all.set([ends[3 * i]!, ends[3 * i + 1]!], 8 * i + 2 * k);
  return all;
}

function corners(count: number): Float32Array {
  const all = new Float32Array(8 * count);
  for (let i = 0; i < count; i++) all.set([0, -1, 0, 1, 1, -1, 1, 1], 8 * i);
  return all;
}

/** Two triangles a link. */
function index(count: number): Uint32Array {
  const all = new Uint32Array(6 * count);
  for (let i = 0; i < count; i++) all.set([0, 1, 2, 2, 1, 3].map((corner) => 4 * i + corner), 6 * i);
  return all;
}

interface PointsProps {
  places: Float32Array; // x, y by point
  shapes: Float32Array; // size, pixels below, shape, 0
  paint: Uint8Array; // RGBA
}

/** Signs of one of a few shapes, with a size in pixels and a colour each. */
export class PointsLayer extends MeshLayer<PointsProps> {
  static override layerName = "PointsLayer";
  static override defaultProps = { places: { type: "data", value: null }, shapes: { type: "data", value: null }, paint: { type: "data", value: null } } as never as DefaultProps<PointsProps>;

  constructor(props: PointsProps & LayerProps) {
    super(props as never);
  }

  override updateState({ props, oldProps }: { props: PointsProps; oldProps: Partial<PointsProps> } & never): void {
    const { places, shapes, paint } = props as PointsProps;
    const old = oldProps as Partial<PointsProps>;
    const { buffers } = this.state;
    let { model } = this.state;
    if (!places.length) {
      model?.setVertexCount(0);
      return;
    }
    if (!model) {
      model = this.make(POINTS, SHAPES, "point-list", [["places", "float32x2"], ["shapes", "float32x4"], ["colours", "unorm8x4"]]); // prettier-ignore
      this.setState({ model });
    }
    if (places !== old.places) model.setAttributes({ places: buffers.put("places", places) });
    if (shapes !== old.shapes) model.setAttributes({ shapes: buffers.put("shapes", shapes) });
    if (paint !== old.paint) model.setAttributes({ colours: buffers.put("colours", paint) });
    model.setVertexCount(places.length / 2);
  }
}
