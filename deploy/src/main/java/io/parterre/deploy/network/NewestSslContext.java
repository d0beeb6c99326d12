package io.parterre.deploy.network;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.parterre.tls.CipherPreference;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * TLS of gRPC's connections with the newest credentials: each connection gets its engine from the
 * context current at that moment, and open connections are not changed. Both ends present a
 * certificate. Thread-safe.
 */
final class NewestSslContext extends SslContext {
    private static final ApplicationProtocolConfig HTTP_2 =
            new ApplicationProtocolConfig(
                    ApplicationProtocolConfig.Protocol.ALPN,
                    ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                    ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                    "h2");

    private final Supplier<SSLContext> contexts;
    private final boolean client;
    private volatile JdkSslContext last;

    private NewestSslContext(Supplier<SSLContext> contexts, boolean client) {
        this.contexts = contexts;
        this.client = client;
        this.last = wrapped(contexts.get());
    }

    /** Returns a context for accepted connections. */
    static SslContext accepting(Supplier<SSLContext> contexts) {
        return new NewestSslContext(contexts, false);
    }

    /** Returns a context for outgoing connections. */
    static SslContext connecting(Supplier<SSLContext> contexts) {
        return new NewestSslContext(contexts, true);
    }

    private JdkSslContext wrapped(SSLContext context) {
        return new JdkSslContext(
                context,
                client,
                CipherPreference.of(Http2SecurityUtil.CIPHERS),
                SupportedCipherSuiteFilter.INSTANCE,
                HTTP_2,
                ClientAuth.REQUIRE,
                new String[] {"TLSv1.3", "TLSv1.2"},
                false);
    }

    private JdkSslContext newest() {
        SSLContext context = contexts.get();
        JdkSslContext known = last;
        if (known.context() != context) {
            known = wrapped(context);
            last = known;
        }
        return known;
    }

    @Override
    public boolean isClient() {
        return client;
    }

    @Override
    public List<String> cipherSuites() {
        return last.cipherSuites();
    }

    @Override
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return last.applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return newest().newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String peerHost, int peerPort) {
        return newest().newEngine(allocator, peerHost, peerPort);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return newest().sessionContext();
    }
}
