import * as z from 'zod'
import { defineRoute, signedIn, type Route } from '../../../shared/platform/http/routing/define-route.ts'
import { idOf } from '../../../shared/platform/http/routing/input/path-params.ts'

export const getDiagram = defineRoute({
  method: 'GET',
  path: '/api/sys/process-instances/{id}/diagram.svg',
  operationId: 'getProcessDiagram',
  tag: 'Processes',
  summary: 'Draw a process instance',
  description:
    'The diagram of the version that it runs as SVG, laid out when the document has none: elements that are done have a check mark, those at which it waits the number of tokens, those that failed an exclamation mark. Readable on light and dark; nothing in it runs. With the `ETag` of the last answer as `If-None-Match` the answer is 304 while nothing has changed.',
  permission: signedIn,
  params: z.object({ id: idOf('process instance') }),
  query: z.object({
    theme: z.enum(['light', 'dark']).optional().meta({
      description: 'For a page with a theme of its own. Left out: that of the system of whoever looks at it.',
    }),
  }),
  answer: z.string(),
  shape: 'raw',
  contentType: 'image/svg+xml',
  hasEtag: true,
  example: { params: { id: 1 }, answer: '<svg xmlns="http://www.w3.org/2000/svg" role="img">...</svg>' },
})

export const diagramRoutes: readonly Route[] = [getDiagram]
