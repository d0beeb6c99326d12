package io.parterre.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.exception.HttpResponseException;
import com.azure.data.tables.models.TableErrorCode;
import com.azure.data.tables.models.TableServiceException;
import com.azure.data.tables.models.TableTransactionFailedException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts that the service said no, and with which words an application gets to see. */
final class Refusals {
    private Refusals() {}

    static void assertRefused(int status, TableErrorCode code, ThrowingCallable call) {
        TableServiceException refusal = catchThrowableOfType(TableServiceException.class, call);
        assertThat(refusal).as("refused with %s %s", status, code).isNotNull();
        assertThat(refusal.getResponse().getStatusCode())
                .as(refusal.getMessage())
                .isEqualTo(status);
        assertThat(refusal.getValue().getErrorCode()).as(refusal.getMessage()).isEqualTo(code);
        assertThat(refusal.getValue().getErrorMessage())
                .contains("\nRequestId:")
                .contains("\nTime:");
    }

    /**
     * Like {@link #assertRefused}, for lists: there the SDK forgets to turn the error into its own.
     */
    static void assertListRefused(int status, TableErrorCode code, ThrowingCallable call) {
        HttpResponseException refusal = catchThrowableOfType(HttpResponseException.class, call);
        assertThat(refusal).as("refused with %s %s", status, code).isNotNull();
        assertThat(refusal.getResponse().getStatusCode())
                .as(refusal.getMessage())
                .isEqualTo(status);
        assertThat(refusal).hasMessageContaining("{\"odata.error\":{\"code\":\"" + code + "\",");
    }

    /**
     * Like {@link #assertRefused}, for policies, properties and state: their errors are XML, which
     * the SDK passes on as text.
     */
    static void assertXmlRefused(int status, TableErrorCode code, ThrowingCallable call) {
        HttpResponseException refusal = catchThrowableOfType(HttpResponseException.class, call);
        assertThat(refusal).as("refused with %s %s", status, code).isNotNull();
        assertThat(refusal.getResponse().getStatusCode())
                .as(refusal.getMessage())
                .isEqualTo(status);
        assertThat(refusal).hasMessageContaining("<m:code>" + code + "</m:code>");
    }

    static void assertRefused(int status, String code, ThrowingCallable call) {
        assertRefused(status, TableErrorCode.fromString(code), call);
    }

    /** The SDK keeps the code and the index of a failed batch, but not the status. */
    static void assertBatchRefused(int index, TableErrorCode code, ThrowingCallable call) {
        assertThat(refusedBatch(code, call).getFailedTransactionActionIndex()).isEqualTo(index);
    }

    private static TableTransactionFailedException refusedBatch(
            TableErrorCode code, ThrowingCallable call) {
        TableTransactionFailedException refusal =
                catchThrowableOfType(TableTransactionFailedException.class, call);
        assertThat(refusal).as("refused with %s", code).isNotNull();
        assertThat(refusal.getValue().getErrorCode()).as(refusal.getMessage()).isEqualTo(code);
        return refusal;
    }
}
