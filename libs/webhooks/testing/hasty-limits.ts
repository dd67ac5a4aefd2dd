/** For receivers that hang: a deadline a spec can wait for, and still far longer than an honest answer takes. */
import { type DeliveryLimits, deliveryLimits } from '../src/delivery';

export const hastyLimits: DeliveryLimits = { ...deliveryLimits, deadlineMs: 1_000 };
