import { healthAnswer } from '../generation.ts'
import { publicSettingsAnswer } from '../public-settings.ts'
import { declareRoutes, files, json } from './declare-routes.ts'

/** What the pages need. */
export const settingsRoutes = declareRoutes({
  'GET /api/config': {
    summary: 'What the pages need to know of this installation.',
    access: 'anybody',
    answers: { 200: json('PublicSettings', publicSettingsAnswer) },
  },
})

/** The specification’s health call, beside the other calls of its path. */
export const aiHealthRoutes = declareRoutes({
  'GET /api/ai?action=health': {
    summary: 'Whether the service answers.',
    access: 'anybody',
    answers: { 200: json('HealthAnswer', healthAnswer) },
  },
})

/** What probes and proxies ask. */
export const healthRoutes = declareRoutes({
  'GET /api/health/live': {
    summary: 'Whether the process answers.',
    access: 'anybody',
    answers: { 200: json('HealthAnswer', healthAnswer) },
  },
  'GET /api/health/ready': {
    summary: 'Whether this node should get requests.',
    access: 'anybody',
    answers: { 200: json('HealthAnswer', healthAnswer) },
    errors: ['unavailable'],
  },
})

/** The API described to programs and to people. */
export const documentRoutes = declareRoutes({
  'GET /api/openapi.json': {
    summary: 'This document.',
    access: 'anybody',
    answers: { 200: files('application/json') },
  },
  'GET /api/docs': {
    summary: 'This document as a page.',
    access: 'anybody',
    answers: { 200: files('text/html') },
  },
})
