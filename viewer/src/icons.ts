// Signs of the roles as the legend shows them; glyphs.ts draws the same on the fabric.

export type Sign = "star" | "triangle" | "cross";

/** One sign around the origin, filled or stroked in the colour of the pen. */
export function draw(pen: CanvasRenderingContext2D, sign: Sign, r: number): void {
  pen.beginPath();
  if (sign === "star" || sign === "triangle") {
    const points = sign === "star" ? 10 : 3;
    for (let k = 0; k < points; k++) {
      const radius = sign === "star" && k % 2 ? 0.42 * r : r;
      const angle = -Math.PI / 2 + (2 * Math.PI * k) / points;
      pen.lineTo(radius * Math.cos(angle), radius * Math.sin(angle));
    }
    pen.closePath();
    pen.fill();
  } else {
    pen.lineWidth = 0.42 * r;
    pen.lineCap = "round";
    const c = 0.68 * r;
    pen.moveTo(-c, -c);
    pen.lineTo(c, c);
    pen.moveTo(c, -c);
    pen.lineTo(-c, c);
    pen.stroke();
  }
}
