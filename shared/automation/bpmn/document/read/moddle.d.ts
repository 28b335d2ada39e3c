/** What we use of packages without types. */
declare module 'bpmn-moddle' {
  export default class BpmnModdle {
    constructor(packages?: Record<string, unknown>)
    /** Its types by their names, before they are first used. */
    readonly registry: {
      readonly typeMap: Record<string, { readonly properties: { name: string; isAttr?: boolean }[] } | undefined>
    }
    toXML(element: unknown, options?: { format?: boolean }): Promise<{ xml: string }>
    fromXML(xml: string): Promise<import('../../shapes/bpmn-element.ts').ModdleContext>
  }
}

declare module 'moddle-xml' {
  export class Reader {
    constructor(options: { model: unknown; lax: boolean })
    handler(typeName: string): object
    fromXML(xml: string, rootHandler: object): Promise<import('../../shapes/bpmn-element.ts').ModdleContext>
  }
}

declare module 'bpmn-auto-layout' {
  export function layoutProcess(xml: string): Promise<string>
}
