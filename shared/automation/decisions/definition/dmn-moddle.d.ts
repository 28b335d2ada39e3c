/** What we use of a package without types. */
declare module 'dmn-moddle' {
  export class DmnModdle {
    constructor()
  }
}
