/** What the bundle is built from, with the licence of each part (build.mjs). */
declare const LICENCES: string;

declare module "*.css" {
  const text: string;
  export default text;
}
