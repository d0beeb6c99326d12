package io.parterre.frontend.observe;

import io.parterre.frontend.config.Problems;

/**
 * What is recorded of single requests.
 *
 * @param accountMetersMax number of accounts with meters of their own, those that call first; all
 *     others share one. 0: no account has its own
 * @param failedLoginsPerMinuteMax lines a minute in the audit log for requests whose credential
 *     proves nothing; further ones are only counted. 0: no lines
 */
public record ObservationConfig(
        RequestLogConfig requestLog,
        SlowRequestsConfig slowRequests,
        int accountMetersMax,
        int failedLoginsPerMinuteMax) {
    public static final ObservationConfig DEFAULT =
            new ObservationConfig(RequestLogConfig.OFF, SlowRequestsConfig.DEFAULT, 100, 60);

    public ObservationConfig {
        new Problems()
                .range("accountMetersMax", accountMetersMax, 0, 10_000)
                .range("failedLoginsPerMinuteMax", failedLoginsPerMinuteMax, 0, 100_000)
                .refuseIfAny();
    }

    /** Returns whether nothing is recorded, so that no notes need be taken. */
    boolean isOff() {
        return requestLog.output() == RequestLogConfig.Output.NONE
                && slowRequests.isOff()
                && accountMetersMax == 0
                && failedLoginsPerMinuteMax == 0;
    }
}
