/** What we use of a package without types. */
declare module 'dmn-moddle' {
  export const DmnModdle: new () => object
}
