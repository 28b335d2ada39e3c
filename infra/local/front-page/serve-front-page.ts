/** Serves the page at `/_local/start`, its style and its script. For this machine only. */
import { type Answer, failure, htmlPage, isRead, json, type Page, pageFile, sendAnswer } from '../outbox/page/answer.ts'
import { type FrontPageFacts, frontPageHtml, frontPageJson } from './front-page.ts'

/** The handlers by address. `facts` is asked for each page. */
export function serveFrontPage(facts: () => FrontPageFacts): Record<string, Page> {
  const page =
    (answer: (headers: { host?: string; accept?: string }) => Answer | undefined): Page =>
    (request, response) =>
      sendAnswer(request, response, (isRead(request.method) && answer(request.headers)) || notAllowed(request.method))
  return {
    '/_local/start': page(({ host = '', accept = '' }) =>
      accept.includes('text/html')
        ? htmlPage(frontPageHtml(facts(), `http://${host}`))
        : json(frontPageJson(facts()), { headers: { vary: 'accept' } }),
    ),
    '/_local/page.css': page(() => pageFile('page.css')),
    '/_local/start.js': page(() => pageFile('start.js')),
  }
}

const notAllowed = (method = ''): Answer => ({
  ...failure(405, 'method_not_allowed', `This page is read with GET, not with ${method}.`),
  headers: { allow: 'GET, HEAD' },
})
