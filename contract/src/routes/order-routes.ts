import { z } from 'zod'
import { cancelOrderInput, createOrderInput, orderAnswer, orderListAnswer } from '../orders.ts'
import { declareRoutes, json, jsonBody } from './declare-routes.ts'

/** Buying credits. */
export const orderRoutes = declareRoutes({
  'POST /api/orders': {
    summary: 'Opens an order and gives the address to pay at.',
    access: 'user',
    limit: 'order',
    repeatable: true,
    body: jsonBody('CreateOrderInput', createOrderInput),
    answers: { 201: json('OrderAnswer', orderAnswer) },
    errors: ['package_invalid', 'price_changed', 'payment_provider_down', 'idempotency_conflict'],
  },
  'GET /api/orders': {
    summary: 'One’s own orders, newest first.',
    access: 'user',
    answers: { 200: json('OrderListAnswer', orderListAnswer) },
  },
  'GET /api/orders/status': {
    summary: 'How an order stands.',
    access: 'user',
    query: z.object({ order_id: z.string(), user_id: z.string().optional() }),
    answers: { 200: json('OrderAnswer', orderAnswer) },
    errors: ['order_unknown'],
  },
  'POST /api/orders/credit-worth': {
    summary: 'Credits an underpaid order with what its money is worth, instead of the rest.',
    access: 'user',
    body: jsonBody('CancelOrderInput', cancelOrderInput),
    answers: { 200: json('OrderAnswer', orderAnswer) },
    errors: ['order_unknown', 'order_not_underpaid'],
  },
  'POST /api/orders/cancel': {
    summary: 'Cancels an order that nothing was paid for.',
    access: 'user',
    body: jsonBody('CancelOrderInput', cancelOrderInput),
    answers: { 200: json('OrderAnswer', orderAnswer) },
    errors: ['order_unknown', 'order_not_cancellable'],
  },
})
