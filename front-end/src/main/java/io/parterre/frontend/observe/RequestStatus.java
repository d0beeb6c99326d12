package io.parterre.frontend.observe;

import io.parterre.error.ErrorCode;
import java.util.Optional;

/**
 * The field {@code request-status}. Pure. Source: Storage Analytics logged operations and status
 * messages.
 */
final class RequestStatus {
    private RequestStatus() {}

    static String of(RequestRecord request) {
        return Credential.of(request.head()).statusPrefix() + word(request);
    }

    private static String word(RequestRecord request) {
        int status = request.status();
        if (!request.taken()) {
            return "NetworkError";
        }
        if (status == 503) {
            return "ThrottlingError";
        }
        if (status == 401 || status == 403) {
            return "AuthorizationError";
        }
        if (status >= 500) {
            Optional<String> code = request.answerHeaders().first("x-ms-error-code");
            boolean late = code.equals(Optional.of(ErrorCode.OPERATION_TIMED_OUT.wireName()));
            return late ? "ServerTimeoutError" : "ServerOtherError";
        }
        return status >= 400 ? "ClientOtherError" : "Success";
    }
}
