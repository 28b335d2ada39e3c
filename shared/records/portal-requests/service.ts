export { requestFollowers } from './followers.ts'
export { newRequestWrites, type PortalRequest, portalRequestSequence, readRequest, saveRequest } from './request-row.ts'
