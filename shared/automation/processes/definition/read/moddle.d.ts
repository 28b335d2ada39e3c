/** What we use of packages without types. */
declare module 'bpmn-moddle' {
  export default class BpmnModdle {
    constructor(packages?: Record<string, unknown>)
    toXML(element: unknown, options?: { format?: boolean }): Promise<{ xml: string }>
    fromXML(xml: string): Promise<import('./bpmn-element.ts').ModdleContext>
  }
}

declare module 'moddle-xml' {
  export class Reader {
    constructor(options: { model: unknown; lax: boolean })
    handler(typeName: string): object
    fromXML(xml: string, rootHandler: object): Promise<import('./bpmn-element.ts').ModdleContext>
  }
}

declare module 'bpmn-auto-layout' {
  export function layoutProcess(xml: string): Promise<string>
}
