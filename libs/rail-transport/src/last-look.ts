/**
 * Whether a request still counts is looked at again when its connection stands, right before its first byte leaves. A process
 * that stood still while it connected reads its sockets before its timers: by the signal alone, the request would go out.
 */
import { DecoratorHandler, type Dispatcher } from 'undici';

export const unlessOver =
  (isOver: () => boolean): Dispatcher.DispatcherComposeInterceptor =>
  (dispatch) =>
  (options, handler) => {
    const looked: Dispatcher.DispatchHandler = new DecoratorHandler(handler);
    const start = looked.onRequestStart?.bind(looked);
    looked.onRequestStart = (controller, context) =>
      isOver()
        ? controller.abort(new DOMException('Its time was over before it left', 'AbortError'))
        : start?.(controller, context);
    return dispatch(options, looked);
  };
