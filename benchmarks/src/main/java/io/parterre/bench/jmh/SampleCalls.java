package io.parterre.bench.jmh;

import io.parterre.bench.load.Endpoint;
import io.parterre.bench.work.SampleRequests;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HeaderList.Header;
import io.parterre.frontend.call.HttpCall;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The requests of the load generator, in the form in which the front end's HTTP server passes them
 * on.
 */
final class SampleCalls {
    private static final Endpoint ENDPOINT = Endpoint.onLoopback(10002);

    private SampleCalls() {}

    static HttpCall read(Instant now) {
        return parse(SampleRequests.read(ENDPOINT, now));
    }

    static HttpCall insert(Instant now) {
        return parse(SampleRequests.insert(ENDPOINT, now));
    }

    static HttpCall batch(Instant now) {
        return parse(SampleRequests.batch(ENDPOINT, now));
    }

    static HttpCall page(Instant now) {
        return parse(SampleRequests.page(ENDPOINT, now));
    }

    private static HttpCall parse(byte[] request) {
        String text = new String(request, StandardCharsets.ISO_8859_1);
        int headEnd = text.indexOf("\r\n\r\n");
        String[] lines = text.substring(0, headEnd).split("\r\n");
        String[] start = lines[0].split(" ");
        List<Header> headers = new ArrayList<>();
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            String[] parts = line.split(": ", 2);
            headers.add(new Header(parts[0], parts[1]));
        }
        return new HttpCall(
                start[0],
                start[1],
                new HeaderList(headers),
                Arrays.copyOfRange(request, headEnd + 4, request.length),
                InetAddress.getLoopbackAddress(),
                false,
                CallMemory.UNCOUNTED);
    }
}
